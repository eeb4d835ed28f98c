import { type Problem, ProblemError, UnexpectedAnswerError } from "../../../packages/client/src/index.ts";
import { mayUploadPass } from "../../../packages/rules/src/index.ts";

/** Whether another attempt may succeed. */
export function isPassing(error: ProblemError | UnexpectedAnswerError): boolean {
  return mayUploadPass(error instanceof ProblemError ? error.problem : error);
}

/** The error that an answer with this body states. */
export function problemIn(status: number, body: string): ProblemError | UnexpectedAnswerError {
  if (body.startsWith("{")) {
    const problem = JSON.parse(body) as Problem;
    if (typeof problem.code === "string") return new ProblemError(problem);
  }
  return new UnexpectedAnswerError(new Response(null, { status: Math.max(200, status) }));
}
