import { cancel } from "../../intake/cancel.ts";
import type { HttpContext, Server } from "../context.ts";
import { requireSubmission } from "../require.ts";
import { IdParams, problems, SubmissionView } from "../schemas.ts";
import { showSubmission } from "../submissions.ts";

/** Cancels a submission that is not published. */
export function submissionCancel(server: Server, context: HttpContext): void {
  server.post(
    "/submission/:id/cancel",
    {
      schema: {
        operationId: "cancelSubmission",
        summary: "Cancel a submission",
        tags: ["Submissions"],
        params: IdParams,
        response: { 202: SubmissionView, ...problems },
      },
    },
    async (request, reply) => {
      await cancel(context.intake, await requireSubmission(context, request));
      return reply.code(202).send(await showSubmission(context, await requireSubmission(context, request)));
    },
  );
}
