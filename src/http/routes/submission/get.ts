import * as examples from "../../openapi/examples.ts";
import { documented, operation } from "../../operation.ts";
import { requireSubmission } from "../../requests/require-resource.ts";
import { submissionView } from "../../responses/submissions.ts";
import { IdParams, SubmissionView } from "../../schemas.ts";

/** Returns a submission. */
export const submissionGet = operation({
  route: "GET /submission/:id",
  operationId: "getSubmission",
  summary: "Retrieve a submission",
  description: "Returns the submission with its progress. The response never contains an access key or a secret key.",
  tag: "Submissions",
  params: IdParams,
  response: { 200: documented(SubmissionView, { description: "The submission.", example: examples.completed }) },
  handler: async (context, request) => submissionView(context, await requireSubmission(context, request)),
});
