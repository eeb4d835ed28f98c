import type { HttpContext, Server } from "../context.ts";
import { requireSubmission } from "../require.ts";
import { IdParams, problems, SubmissionView } from "../schemas.ts";
import { viewSubmission } from "../views.ts";

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
    async (request) => viewSubmission(await requireSubmission(context, request), context.basePath),
  );
}
