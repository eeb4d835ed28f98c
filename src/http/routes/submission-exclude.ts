import { Type } from "typebox";
import { exclude } from "../../intake/exclude.ts";
import type { HttpContext, Server } from "../context.ts";
import { requireSubmission } from "../require.ts";
import { IdParams, problems, SubmissionView } from "../schemas.ts";
import { showSubmission } from "../submissions.ts";

const ExcludeRequest = Type.Object(
  {
    keys: Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 100_000 }),
    reason: Type.String({ minLength: 1, maxLength: 2_000, description: "Manifest and receipt will name it." }),
  },
  { additionalProperties: false },
);

/** Leaves unreadable objects out. */
export function submissionExclude(server: Server, context: HttpContext): void {
  server.post(
    "/submission/:id/exclude",
    {
      schema: {
        operationId: "excludeObjects",
        summary: "Leave unreadable objects out",
        tags: ["Submissions"],
        params: IdParams,
        body: ExcludeRequest,
        response: { 202: SubmissionView, ...problems },
      },
    },
    async (request, reply) => {
      await exclude(context.intake, await requireSubmission(context, request), request.body);
      return reply.code(202).send(await showSubmission(context, await requireSubmission(context, request)));
    },
  );
}
