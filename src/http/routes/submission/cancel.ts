import { cancel } from "../../../intake/cancel.ts";
import * as examples from "../../openapi/examples.ts";
import { documented, operation } from "../../operation.ts";
import { requireSubmission } from "../../requests/require-resource.ts";
import { submissionView } from "../../responses/submissions.ts";
import { IdParams, SubmissionView } from "../../schemas.ts";

/** Cancels a submission that is not yet published. */
export const submissionCancel = operation({
  route: "POST /submission/:id/cancel",
  operationId: "cancelSubmission",
  summary: "Cancel a submission",
  description: "Stops the submission and deletes its stored content. Cancellation cannot be undone.",
  tag: "Submissions",
  problems: ["wrong_state", "too_late"],
  params: IdParams,
  response: {
    202: documented(SubmissionView, { description: "The submission is cancelled.", example: examples.cancelled }),
  },
  handler: async (context, request) => {
    await cancel(context.intake, await requireSubmission(context, request));
    return submissionView(context, await requireSubmission(context, request));
  },
});
