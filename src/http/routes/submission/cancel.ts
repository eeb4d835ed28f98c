import { cancel } from "../../../intake/cancel.ts";
import type { HttpContext } from "../../context.ts";
import type { Server } from "../../fastify.ts";
import { answer } from "../../openapi/answer.ts";
import * as examples from "../../openapi/examples.ts";
import { requireSubmission } from "../../requests/require-resource.ts";
import { submissionView } from "../../responses/submissions.ts";
import { IdParams, SubmissionView } from "../../schemas.ts";

/** Cancels a submission that is not yet published. */
export function submissionCancel(server: Server, context: HttpContext): void {
  server.post(
    "/submission/:id/cancel",
    {
      config: { problems: ["wrong_state", "too_late"] },
      schema: {
        operationId: "cancelSubmission",
        summary: "Cancel a submission",
        description: "Stops the submission and deletes its stored content. Cancellation cannot be undone.",
        tags: ["Submissions"],
        params: IdParams,
        response: {
          202: answer(SubmissionView, { description: "The submission is cancelled.", example: examples.cancelled }),
        },
      },
    },
    async (request, reply) => {
      await cancel(context.intake, await requireSubmission(context, request));
      return reply.code(202).send(await submissionView(context, await requireSubmission(context, request)));
    },
  );
}
