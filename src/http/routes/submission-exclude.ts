import { Type } from "typebox";
import { exclude } from "../../intake/exclude.ts";
import { requireText } from "../../intake/request.ts";
import type { HttpContext } from "../context.ts";
import type { Server } from "../fastify.ts";
import { answer } from "../openapi/answer.ts";
import * as examples from "../openapi/examples.ts";
import { requireSubmission } from "../requests/find-or-refuse.ts";
import { submissionView } from "../responses/submissions.ts";
import { IdParams, SubmissionView } from "../schemas.ts";

const ExcludeRequest = Type.Object(
  {
    keys: Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      maxItems: 100_000,
      description: "Keys that the submission names as unreadable.",
    }),
    reason: Type.String({ minLength: 1, maxLength: 2_000, description: "Manifest and receipt will name it." }),
  },
  {
    title: "ExcludeRequest",
    description: "What is to be left out, and why.",
    additionalProperties: false,
    examples: [{ keys: ["measurements/plot-07.csv"], reason: "The sensor was broken" }],
  },
);

/** Leaves unreadable objects out. */
export function submissionExclude(server: Server, context: HttpContext): void {
  server.post(
    "/submission/:id/exclude",
    {
      config: { problems: ["wrong_state"] },
      schema: {
        operationId: "excludeObjects",
        summary: "Leave unreadable objects out",
        description: "Of a submission that waits with `objects_unreadable`: when nothing is left to decide it goes on.",
        tags: ["Submissions"],
        params: IdParams,
        body: ExcludeRequest,
        response: { 202: answer(SubmissionView, { description: "They are left out.", example: examples.accepted }) },
      },
    },
    async (request, reply) => {
      requireText(request.body.reason, "/reason");
      await exclude(context.intake, await requireSubmission(context, request), request.body);
      return reply.code(202).send(await submissionView(context, await requireSubmission(context, request)));
    },
  );
}
