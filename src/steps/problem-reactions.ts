import type { WaitingDays } from "../db/submissions/waiting.ts";
import { members } from "../domain/problems/members.ts";
import { notices } from "../domain/problems/notices.ts";
import { warnings } from "../domain/problems/warnings.ts";
import type { Code } from "../domain/problems.ts";
import { WAITING_DAYS } from "../domain/states.ts";

const FIRST_PROBE_MS = 60_000;

/**
 * What a submission can wait for, and for how long. Each stands for something that one party can do; the message of the
 * wait names the cause.
 */
export const waitingDays = {
  credentials_rejected: { days: WAITING_DAYS.credentials },
  objects_unreadable: { days: WAITING_DAYS.decision },
  source_changed: { days: WAITING_DAYS.source, probeInMs: FIRST_PROBE_MS },
  source_unreachable: { days: WAITING_DAYS.source, probeInMs: FIRST_PROBE_MS },
  source_blocked: { days: WAITING_DAYS.operator, probeInMs: FIRST_PROBE_MS },
  no_space: { days: WAITING_DAYS.operator, probeInMs: FIRST_PROBE_MS },
  archive_unwritable: { days: WAITING_DAYS.operator, probeInMs: FIRST_PROBE_MS },
} as const satisfies Partial<Record<Code, WaitingDays>>;

/** A code under which submissions wait. */
export type WaitingCode = keyof typeof waitingDays;

/**
 * How a submission responds to a problem in a step: it waits under a code, fails for good, or the job is tried
 * again and ends in `internal_error`, because no step can meet this problem unless Accession itself is at fault.
 */
export type Reaction = WaitingCode | "fail" | "retry";

/**
 * The reaction to every code of the catalogue. While a submission waits, the party that must act is the one that the
 * catalogue names for the waiting code.
 */
export const reactions = {
  // Remarks about members of requests, and notices about webhooks and mail.
  ...always("retry", members),
  ...always("retry", warnings),
  ...always("retry", notices),

  // Met on the way to the source: the submitter can send other keys.
  access_key_unknown: "credentials_rejected",
  secret_key_wrong: "credentials_rejected",
  credentials_expired: "credentials_rejected",
  credentials_required: "credentials_rejected",
  credentials_rejected: "credentials_rejected",
  anonymous_denied: "credentials_rejected",
  list_denied: "credentials_rejected",
  read_denied: "credentials_rejected",

  // The bucket is no longer where and what it was at the check: the submitter can restore it, or cancel.
  bucket_missing: "source_changed",
  address_unresolvable: "source_changed",
  redirected: "source_changed",
  wrong_region: "source_changed",
  source_changed: "source_changed",

  // The storage provider must act; the service probes again. The last four are the submitter's errors at the check. That
  // passed, so the endpoint itself has changed, for instance to a maintenance page.
  connection_refused: "source_unreachable",
  connection_timeout: "source_unreachable",
  connection_reset: "source_unreachable",
  tls_untrusted: "source_unreachable",
  tls_expired: "source_unreachable",
  slow_down: "source_unreachable",
  source_error: "source_unreachable",
  source_refused: "source_unreachable",
  source_timeout: "source_unreachable",
  source_unreachable: "source_unreachable",
  not_s3: "source_unreachable",
  tls_wrong_host: "source_unreachable",
  tls_not_spoken: "source_unreachable",
  tls_expected: "source_unreachable",

  // The service's own network, clock or settings are in the way.
  address_refused: "source_blocked",
  name_lookup_failed: "source_blocked",
  network_unreachable: "source_blocked",
  clock_skewed: "source_blocked",
  source_blocked: "source_blocked",

  // The archive.
  no_space: "no_space",
  archive_unwritable: "archive_unwritable",
  archive_unreadable: "archive_unwritable",

  objects_unreadable: "objects_unreadable",

  // Waiting cannot resolve these. A retry starts again.
  listing_invalid: "fail",
  listing_loop: "fail",
  key_too_long: "fail",
  source_empty: "fail",
  quota_exceeded: "fail",
  verification_failed: "fail",
  already_published: "fail",
  dataset_moved_on: "fail",
  dataset_withdrawn: "fail",
  waited_too_long: "fail",
  internal_error: "fail",

  // The attempt is over, or the database is away: the job looks again.
  wrong_state: "retry",
  too_late: "retry",
  unavailable: "retry",
  retry_requested: "retry",

  // Recorded against their object; they never stop a submission.
  object_gone: "retry",
  object_changed: "retry",
  object_denied: "retry",
  object_archived: "retry",
  object_encrypted: "retry",
  object_length_wrong: "retry",
  object_unreadable: "retry",
  source_corrupt: "retry",

  // Answers to requests alone.
  malformed_json: "retry",
  malformed_multipart: "retry",
  bad_request: "retry",
  body_too_large: "retry",
  unsupported_media_type: "retry",
  headers_too_large: "retry",
  request_timeout: "retry",
  unauthenticated: "retry",
  token_invalid: "retry",
  identity_unavailable: "retry",
  forbidden: "retry",
  rate_limited: "retry",
  not_found: "retry",
  method_not_allowed: "retry",
  foreign_origin: "retry",
  foreign_host: "retry",
  precondition_failed: "retry",
  range_not_satisfiable: "retry",
  invalid_request: "retry",
  idempotency_conflict: "retry",
  last_admin: "retry",
  dataset_busy: "retry",
  retry_expired: "retry",
  source_check_failed: "retry",
  content_damaged: "retry",
  no_tokens_here: "retry",
} as const satisfies Record<Code, Reaction>;

/** The same reaction to every code of a part of the catalogue. */
function always<const Only extends Reaction, Part extends object>(
  reaction: Only,
  part: Part,
): Record<keyof Part, Only> {
  return Object.fromEntries(Object.keys(part).map((code) => [code, reaction])) as Record<keyof Part, Only>;
}
