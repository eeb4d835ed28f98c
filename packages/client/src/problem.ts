import type { components } from "./schema.ts";

type Problem = components["schemas"]["Problem"];

/** An error response of the service. `problem.code` is stable. `message` is human-readable and never contains a secret. */
export class ProblemError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(`${problem.code}: ${problem.detail}`);
    this.name = "ProblemError";
    this.problem = problem;
  }
}

/** A response that does not come from the service, but for example from a proxy. */
export class UnexpectedAnswerError extends Error {
  readonly status: number;
  /** Target of a redirect. Redirects are not followed. */
  readonly location: string | null;

  constructor({ status, headers }: Response) {
    super(`The service cannot be reached: the server returned status ${status}`);
    this.name = "UnexpectedAnswerError";
    this.status = status;
    this.location = headers.get("location");
  }
}

/**
 * Returns the data of a response.
 *
 * @throws ProblemError if the service returned an error; UnexpectedAnswerError if the response is not from the service
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
