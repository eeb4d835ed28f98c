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

/** The response does not come from the service, but for instance from a proxy in front of it. */
export class UnexpectedAnswerError extends Error {
  readonly status: number;
  /** Where a redirect leads. Redirects are not followed. */
  readonly location: string | null;

  constructor({ status, headers }: Response) {
    super(`The service cannot be reached: what answers says ${status}`);
    this.name = "UnexpectedAnswerError";
    this.status = status;
    this.location = headers.get("location");
  }
}

/**
 * The data of an answer.
 *
 * @throws ProblemError for what the service refuses; UnexpectedAnswerError when something else answered
 */
export function orThrow<Data>(answer: { data?: Data; error?: unknown; response: Response }): Data {
  if (answer.response.ok) return answer.data as Data;
  const { error } = answer;
  if (isProblem(error)) throw new ProblemError(error);
  throw new UnexpectedAnswerError(answer.response);
}

function isProblem(error: unknown): error is Problem {
  if (typeof error !== "object" || error === null) return false;
  const { title, code, detail } = error as Partial<Record<keyof Problem, unknown>>;
  return typeof title === "string" && typeof code === "string" && typeof detail === "string";
}
