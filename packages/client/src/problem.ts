import type { components } from "./schema.ts";

type Problem = components["schemas"]["Problem"];

/** The service refused or failed. `problem.code` is stable; `message` is for people and never holds a secret. */
export class ProblemError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(`${problem.code}: ${problem.detail}`);
    this.name = "ProblemError";
    this.problem = problem;
  }
}

/**
 * The data of an answer.
 *
 * @throws ProblemError when there is none; Error when what answered is not the service, but for instance a proxy
 */
export function orThrow<Data>(answer: { data?: Data; error?: unknown; response: Response }): Data {
  if (answer.response.ok) return answer.data as Data;
  const { error } = answer;
  if (isProblem(error)) throw new ProblemError(error);
  throw new Error(`The service cannot be reached: what answers says ${answer.response.status}`);
}

function isProblem(error: unknown): error is Problem {
  return typeof error === "object" && error !== null && "code" in error && "detail" in error;
}
