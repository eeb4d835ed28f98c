import type { HttpContext, Server } from "../context.ts";
import { requireSubmission } from "../require.ts";
import { IdParams, problems, SubmissionView } from "../schemas.ts";
import { showSubmission } from "../submissions.ts";

/** One submission as it stands. */
export function submissionGet(server: Server, context: HttpContext): void {
  server.get(
    "/submission/:id",
    {
      schema: {
        operationId: "getSubmission",
        summary: "Look at a submission",
        tags: ["Submissions"],
        params: IdParams,
        response: { 200: SubmissionView, ...problems },
      },
    },
    async (request) => showSubmission(context, await requireSubmission(context, request)),
  );
}
