import type { Entry } from "./entry.ts";

/** Answers to a request as a whole. */
export const requests = {
  malformed_json: {
    fault: "submitter",
    status: 400,
    title: "The body is not valid JSON",
    action: "Send one JSON text in UTF-8.",
  },
  malformed_multipart: {
    fault: "submitter",
    status: 400,
    title: "The multipart body cannot be read",
    action: "Send the parts “metadata” and “s3Access”, each holding one JSON text.",
  },
  bad_request: {
    fault: "submitter",
    status: 400,
    title: "The request cannot be understood",
    action: "Correct the request and send it again.",
  },
  body_too_large: { fault: "submitter", status: 413, title: "The body is too large", action: "Send a smaller body." },
  unsupported_media_type: {
    fault: "submitter",
    status: 415,
    title: "This media type is not accepted here",
    action: "Send application/json or multipart/form-data.",
  },
  not_found: {
    fault: "submitter",
    status: 404,
    title: "Not found",
    action: "Check the id and the path.",
  },
  foreign_origin: {
    fault: "operator",
    status: 403,
    title: "Pages from this origin may not call this service",
    action: "The operator can allow the origin in ACCESSION_CORS_ORIGINS.",
  },
  foreign_host: {
    fault: "submitter",
    status: 403,
    title: "The service was called under a name that is not its own",
    action: "Call it as localhost or 127.0.0.1, or ask the operator to set ACCESSION_PUBLIC_URL.",
  },
  invalid_request: {
    fault: "submitter",
    status: 422,
    title: "The request has faults",
    action: "Correct every fault that is named and send the request again.",
  },
  idempotency_conflict: {
    fault: "submitter",
    status: 409,
    title: "This Idempotency-Key was used for another request",
    action: "Use a new key for a new request.",
  },
  wrong_state: {
    fault: "submitter",
    status: 409,
    title: "The submission is not in a state that allows this",
    action: "Look at the submission’s status first.",
  },
  too_late: {
    fault: "submitter",
    status: 409,
    title: "Publication is already committed",
    action: "Nothing can be changed any more: the dataset is archived, or is just being published.",
  },
  dataset_busy: {
    fault: "submitter",
    status: 409,
    title: "Another submission of this dataset is open",
    action: "Wait for it, or cancel it.",
  },
  dataset_withdrawn: {
    fault: "operator",
    status: 410,
    title: "The dataset was withdrawn",
    action:
      "Its bytes are gone for good; the tombstone says who withdrew it and why, and the receipt can still be read.",
  },
  retry_expired: {
    fault: "submitter",
    status: 410,
    title: "What had been stored was removed",
    action: "Submit the bucket again.",
  },
  credentials_required: {
    fault: "submitter",
    status: 422,
    title: "The bucket’s credentials are needed again",
    action: "Send them in “s3Access”; they were erased when the submission failed.",
  },
  source_check_failed: {
    fault: "submitter",
    status: 422,
    title: "The bucket cannot be taken in",
    action: "Mend what the report names and send the request again.",
  },
  source_timeout: {
    fault: "source",
    status: 422,
    title: "The check of the bucket took too long",
    action: "Try again; if it stays slow, ask whoever runs the storage.",
    retryable: true,
  },
  source_empty: {
    fault: "submitter",
    status: 422,
    title: "There is nothing to take in",
    action: "Check the bucket’s name, the prefix and the patterns.",
  },
  not_supported: {
    fault: "operator",
    status: 501,
    title: "This version does not offer that",
    action: "Leave the member out, or ask the operator for a newer version.",
  },
  unavailable: {
    fault: "service",
    status: 503,
    title: "The service is starting, stopping or has lost its database",
    action: "Try again in a moment.",
    retryable: true,
  },
  internal_error: {
    fault: "service",
    status: 500,
    title: "A fault in Accession itself",
    action: "Tell the operator the request id; the log names the cause under it.",
  },
} as const satisfies Record<string, Entry>;
