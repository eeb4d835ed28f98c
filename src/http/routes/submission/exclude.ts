import { Type } from "typebox";
import { exclude } from "../../../intake/exclude.ts";
import { requireText } from "../../../intake/request.ts";
import type { HttpContext } from "../../context.ts";
import type { Server } from "../../fastify.ts";
import { answer } from "../../openapi/answer.ts";
import * as examples from "../../openapi/examples.ts";
import { requireSubmission } from "../../requests/require-resource.ts";
import { submissionView } from "../../responses/submissions.ts";
import { IdParams, SubmissionView } from "../../schemas.ts";

const ExcludeRequest = Type.Object(
  {
    keys: Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      maxItems: 100_000,
      description: "Keys of unreadable objects of the submission.",
    }),
    reason: Type.String({
      minLength: 1,
      maxLength: 2_000,
      description: "Reason for the exclusion. The manifest and the receipt contain it.",
    }),
  },
  {
    title: "ExcludeRequest",
    description: "The objects to exclude, and the reason.",
    additionalProperties: false,
    examples: [{ keys: ["measurements/plot-07.csv"], reason: "The sensor was broken" }],
  },
);

/** Excludes unreadable objects from a submission. */
export function submissionExclude(server: Server, context: HttpContext): void {
  server.post(
    "/submission/:id/exclude",
    {
      config: { problems: ["wrong_state"] },
      schema: {
        operationId: "excludeObjects",
        summary: "Exclude unreadable objects",
        description:
          "For a submission that waits with `objects_unreadable`. The submission continues once all unreadable objects are excluded.",
        tags: ["Submissions"],
        params: IdParams,
        body: ExcludeRequest,
        response: {
          202: answer(SubmissionView, { description: "The objects are excluded.", example: examples.accepted }),
        },
      },
    },
    async (request, reply) => {
      requireText(request.body.reason, "/reason");
      await exclude(context.intake, await requireSubmission(context, request), request.body);
      return reply.code(202).send(await submissionView(context, await requireSubmission(context, request)));
    },
  );
}
