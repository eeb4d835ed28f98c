import { type Problem, ProblemError, UnexpectedAnswerError } from "../../../packages/client/src/index.ts";

/** A service that restarts, or a network that fails, may take two minutes. The count begins again with each progress. */
export const RETRY_DELAYS_MS = [500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 30_000, 30_000];
/** Codes of problems that another attempt solves, apart from errors of servers and networks. */
const PASSING: readonly string[] = ["upload_offset_wrong", "rate_limited", "request_timeout", "upload_checksum_wrong"];
/** Codes of problems that waiting does not solve, although the status is that of a server error. */
const LASTING: readonly string[] = ["no_space", "archive_unwritable", "uploads_off"];
const SERVER_ERROR = 500;

/** Whether another attempt may succeed. */
export function isPassing(error: ProblemError | UnexpectedAnswerError): boolean {
  if (!(error instanceof ProblemError)) return error.status >= SERVER_ERROR;
  const { code, status } = error.problem;
  return PASSING.includes(code) || (status >= SERVER_ERROR && !LASTING.includes(code));
}

/** The error that an answer with this body states. */
export function problemIn(status: number, body: string): ProblemError | UnexpectedAnswerError {
  if (body.startsWith("{")) {
    const problem = JSON.parse(body) as Problem;
    if (typeof problem.code === "string") return new ProblemError(problem);
  }
  return new UnexpectedAnswerError(new Response(null, { status: Math.max(200, status) }));
}
