import type { HttpContext } from "../../context.ts";
import type { Server } from "../../fastify.ts";
import { answer } from "../../openapi/answer.ts";
import * as examples from "../../openapi/examples.ts";
import { callerOf } from "../../requests/access.ts";
import { requireSubmission } from "../../requests/require-resource.ts";
import { submissionView } from "../../responses/submissions.ts";
import { IdParams, SubmissionView } from "../../schemas.ts";

/** Returns a submission. */
export function submissionGet(server: Server, context: HttpContext): void {
  server.get(
    "/submission/:id",
    {
      schema: {
        operationId: "getSubmission",
        summary: "Retrieve a submission",
        description:
          "Returns the submission with its progress. The response never contains an access key or a secret key.",
        tags: ["Submissions"],
        params: IdParams,
        response: { 200: answer(SubmissionView, { description: "The submission.", example: examples.completed }) },
      },
    },
    async (request, reply) => {
      const row = await requireSubmission(context, request);
      context.limits.answer(reply, callerOf(request).owner, row.metadata_bytes);
      return submissionView(context, row);
    },
  );
}
