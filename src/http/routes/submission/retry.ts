import { Type } from "typebox";
import { readCredentials } from "../../../intake/request.ts";
import { retry } from "../../../intake/retry.ts";
import { goneSignal } from "../../fastify.ts";
import { accepted, newCredentials } from "../../openapi/examples.ts";
import { documented, operation, withExample } from "../../operation.ts";
import { callAt } from "../../requests/access.ts";
import { requireSubmission } from "../../requests/require-resource.ts";
import { unchecked } from "../../requests/validation.ts";
import { submissionView } from "../../responses/submissions.ts";
import { IdParams, NewCredentials, SubmissionView } from "../../schemas.ts";

/** The new attempt has not read the checksum list in the bucket yet. */
const retried = {
  ...accepted,
  attempt: 2,
  updatedAt: "2026-11-03T09:00:00.000Z",
  digests: {
    lists: [],
    unread: [{ name: "SHA256SUMS", origin: "source" }],
    comparison: null,
    differing: 0,
    differingExcluded: 0,
  },
};

/** Starts the next attempt of a waiting or failed submission. */
export const submissionRetry = operation({
  route: "POST /submission/:id/retry",
  operationId: "retrySubmission",
  summary: "Retry a submission",
  description:
    "Starts the next attempt of a waiting or failed submission. A failed submission needs `s3Access`, because its credentials were erased.",
  tag: "Submissions",
  problems: [
    "wrong_state",
    "too_late",
    "retry_expired",
    "credentials_required",
    "source_check_failed",
    "source_timeout",
    "quota_exceeded",
    "dataset_withdrawn",
    "dataset_busy",
    "dataset_moved_on",
  ],
  options: unchecked,
  params: IdParams,
  body: Type.Optional(withExample(NewCredentials, newCredentials)),
  response: {
    202: documented(SubmissionView, { description: "The submission after the retry.", example: retried }),
  },
  handler: async (context, request, reply) => {
    const row = await requireSubmission(context, request);
    const access = readCredentials(request.body, row);
    if (access !== undefined) await callAt(context, request, reply, access.endpoint);
    await retry(context.intake, row, access, goneSignal(reply));
    return submissionView(context, await requireSubmission(context, request));
  },
});
