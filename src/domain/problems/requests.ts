import type { ProblemEntry } from "./entry.ts";

/** Answers to a request as a whole. Those that a step can meet, too, state what happens to the submission. */
export const requests = {
  malformed_json: {
    status: 400,
    title: "The body is not valid JSON",
    action: "Send one JSON document in UTF-8.",
  },
  malformed_multipart: {
    status: 400,
    title: "The multipart body cannot be read",
    action:
      "Send a complete form that has only the parts of this operation, such as “metadata” and “s3Access” with one JSON document each.",
  },
  bad_request: {
    status: 400,
    title: "The request cannot be understood",
    action: "Correct the request and send it again.",
  },
  body_too_large: {
    status: 413,
    title: "The body is too large",
    action: "Send a smaller body.",
  },
  unsupported_media_type: {
    status: 415,
    title: "The media type is not supported",
    action: "Send application/json or multipart/form-data.",
  },
  headers_too_large: {
    status: 431,
    title: "The request’s headers are too large",
    action: "Send fewer or shorter headers.",
  },
  request_timeout: {
    status: 408,
    title: "The upload of the request took too long",
    action: "Send the request again, if possible over a faster connection.",
    retryable: true,
  },
  unauthenticated: {
    status: 401,
    title: "Authentication is required",
    action: "Sign in, or send an access token as “Authorization: Bearer …”. The operator issues access tokens.",
  },
  token_invalid: {
    status: 401,
    title: "The token is not valid",
    action: "The token may have expired or been revoked. Obtain a new token.",
  },
  identity_unavailable: {
    fault: "operator",
    status: 503,
    title: "The identity provider cannot be reached",
    action:
      "Try again in a few minutes. If it fails again, the operator must check that the service can reach the identity provider (ACCESSION_OIDC_ISSUER).",
    retryable: true,
  },
  forbidden: {
    fault: "operator",
    status: 403,
    title: "Your account does not have this permission",
    action: "Ask the operator for a role that has the permission. The message names these roles.",
  },
  rate_limited: {
    status: 429,
    title: "Too many requests were sent",
    action: "Wait a moment, then try again. The Retry-After header states the number of seconds.",
    retryable: true,
  },
  quota_exceeded: {
    status: 403,
    title: "Your quota would be exceeded",
    action: "Cancel a submission, submit less data, or ask the operator for a larger quota. Then try again.",
    inStep: "fail",
  },
  not_found: {
    status: 404,
    title: "Not found",
    action: "Check the id or the address. The lists of submissions and datasets show ids.",
  },
  method_not_allowed: {
    status: 405,
    title: "The path does not accept this method",
    action: "Use a method that the Allow header lists.",
  },
  foreign_origin: {
    fault: "operator",
    status: 403,
    title: "Web pages from this origin may not call the service",
    action: "The operator can allow the origin in ACCESSION_CORS_ORIGINS.",
  },
  foreign_host: {
    status: 403,
    title: "The service does not accept the host name in the request",
    action:
      "Use the official address of the service, which the operator knows. Operators: check ACCESSION_PUBLIC_URL, and that the proxy passes on the Host header.",
  },
  precondition_failed: {
    status: 412,
    title: "The file’s ETag differs from the If-Match header",
    action: "Request the file without If-Match, or with its current ETag.",
  },
  range_not_satisfiable: {
    status: 416,
    title: "The requested range is outside the file",
    action: "Request a range within the length that Content-Range states.",
  },
  invalid_request: {
    status: 422,
    title: "The request contains errors",
    action: "Correct every listed error and send the request again.",
  },
  idempotency_conflict: {
    status: 409,
    title: "The Idempotency-Key was already used for a different request",
    action: "Send each new request with a new Idempotency-Key.",
  },
  last_admin: {
    status: 409,
    title: "The token is the last token with the role admin",
    action: "Create another token with the role admin first.",
  },
  wrong_state: {
    status: 409,
    title: "The current status of the submission does not allow this",
    action: "Check its status. To archive the data again after the submission has ended, create a new submission.",
  },
  too_late: {
    status: 409,
    title: "The submission can no longer be changed",
    action:
      "The dataset is in the archive, or is being stored there now. If it must not stay there, ask an admin to withdraw it.",
  },
  metadata_conflict: {
    status: 412,
    title: "The metadata were changed in the meantime",
    action: "Load the metadata again, and repeat your change.",
  },
  if_match_required: {
    status: 428,
    title: "The header If-Match is missing",
    action:
      "Request the metadata, the publication or the collection that you want to change or approve, and send its ETag in If-Match.",
  },
  dataset_busy: {
    status: 409,
    title: "Another submission or metadata change of this dataset is in progress",
    action: "Wait until it ends, or cancel the submission.",
  },
  change_replaced: {
    status: 409,
    title: "A later change of yours replaced this change of the metadata",
    action: "Load the metadata again. If they lack this change, repeat it.",
  },
  revision_limit: {
    status: 409,
    title: "The dataset has the maximum number of metadata revisions",
    action:
      "Collect corrections and ask the operator for a higher limit (ACCESSION_MOST_REVISIONS). Each revision of a large dataset needs much disk space.",
  },
  dataset_moved_on: {
    status: 409,
    title: "Another version of the dataset was archived in the meantime",
    action: "This submission can no longer be retried. Submit the data again as a new version of the dataset.",
    inStep: "fail",
  },
  dataset_withdrawn: {
    fault: "operator",
    status: 410,
    title: "The dataset has been withdrawn",
    action:
      "No action is possible: its content is permanently deleted from the archive. Its page states when and why it was withdrawn. The receipt remains available.",
    inStep: "fail",
  },
  retry_expired: {
    status: 410,
    title: "The submission can no longer be retried",
    action: "Its temporary copy of the objects was deleted. Submit the data again; uploaded files must be sent again.",
  },
  credentials_required: {
    status: 422,
    title: "The credentials for the bucket are required",
    action:
      "Enter the credentials of the bucket again (in the API: “s3Access”). The service erased them when the submission failed.",
    inStep: { waitAs: "credentials_rejected" },
  },
  source_check_failed: {
    status: 422,
    title: "The check of the bucket failed",
    action: "Fix the failed step of the check, then submit again.",
  },
  source_timeout: {
    fault: "source",
    status: 422,
    title: "The check of the bucket took too long",
    action: "Try again. If it happens again, ask the storage provider.",
    inStep: { waitAs: "source_unreachable" },
    retryable: true,
  },
  source_empty: {
    status: 422,
    title: "There are no objects to archive",
    action: "Check the bucket name, the prefix and the patterns.",
    inStep: "fail",
  },
  archive_unreadable: {
    fault: "operator",
    status: 503,
    title: "The service cannot read the archive",
    action:
      "Try again in a few minutes. If it fails again, the operator must repair the archive’s disk or bucket, or correct the access rights.",
    inStep: { waitAs: "archive_unwritable" },
    retryable: true,
  },
  content_damaged: {
    fault: "operator",
    status: 500,
    title: "A file of the dataset is missing or damaged in the archive",
    action: "Report it to the operator, who must restore the dataset from a backup.",
  },
  no_tokens_here: {
    fault: "operator",
    status: 501,
    title: "This service does not issue access tokens",
    action:
      "If the service uses an identity provider, sign in there; otherwise send requests without a token. The operator can set ACCESSION_AUTH=tokens.",
  },
  unavailable: {
    fault: "service",
    status: 503,
    title: "The service is starting, is stopping or cannot reach its database",
    action: "Try again in a moment.",
    retryable: true,
  },
  internal_error: {
    fault: "service",
    status: 500,
    title: "An internal error occurred",
    action: "Report the request id to the operator, who can find the cause in the server log.",
    inStep: "fail",
  },
} as const satisfies Record<string, ProblemEntry>;
