/**
 * Times in milliseconds after which a program sends again what did not arrive at an upload: a service that restarts, or a network that fails,
 * may take two minutes. The count begins again with each progress.
 */
export const UPLOAD_RETRY_DELAYS_MS = [500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 30_000, 30_000];

/** Codes of problems that another attempt solves, apart from errors of servers. */
const PASSING: readonly string[] = ["upload_offset_wrong", "rate_limited", "request_timeout", "upload_checksum_wrong"];
/** Codes of problems that waiting does not solve, although the status is that of a server error. */
const LASTING: readonly string[] = ["no_space", "archive_unwritable", "uploads_off"];
/** Codes of problems that are about one file: the others can be sent. */
const OF_A_FILE: readonly string[] = ["upload_digest_wrong", "upload_path_taken", "upload_joined", "bad_request"];
const SERVER_ERROR = 500;
const TOO_MANY_REQUESTS = 429;

/** Whether another attempt to send may succeed. @param answer the answer of the service; without `code` if another server answered */
export function mayUploadPass({ code = "", status }: { code?: string; status: number }): boolean {
  return PASSING.includes(code) || status === TOO_MANY_REQUESTS || (status >= SERVER_ERROR && !LASTING.includes(code));
}

/** Whether a problem is about one file of an upload. */
export function isOfOneFile({ code }: { code: string }): boolean {
  return OF_A_FILE.includes(code);
}
