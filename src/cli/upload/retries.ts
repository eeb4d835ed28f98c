import { setTimeout as sleep } from "node:timers/promises";
import { type Problem, ProblemError, UnexpectedAnswerError } from "../../../packages/client/src/index.ts";
import { mayUploadPass, UPLOAD_RETRY_DELAYS_MS } from "../../../packages/rules/src/index.ts";

/** Whether another attempt may succeed: after answers that say so, and after errors of the network. */
export function isPassing(error: unknown): boolean {
  if (error instanceof ProblemError) return mayUploadPass(error.problem);
  return !(error instanceof UnexpectedAnswerError) || mayUploadPass(error);
}

/** The service has not answered as it should, as if the connection had failed. */
export class BrokenAnswer extends Error {
  override readonly name = "BrokenAnswer";
}

/** How a request is repeated. */
export interface Retries {
  signal: AbortSignal;
  /** Called before each wait with its milliseconds, which grow with each attempt in a row, and why the last attempt failed. */
  onRetry(delay: number, error: unknown): void;
}

/** Sends a request, again after each delay if that may help. @throws the last error; the reason of the signal */
export async function retried<T>(request: () => Promise<T>, { signal, onRetry }: Retries): Promise<T> {
  for (const delay of UPLOAD_RETRY_DELAYS_MS) {
    try {
      return await request();
    } catch (error) {
      signal.throwIfAborted();
      if (!isPassing(error)) throw error;
      onRetry(delay, error);
    }
    await sleep(delay, undefined, { signal });
  }
  return request();
}

/** The error that an answer with this body states. */
export function problemIn(status: number, body: string): ProblemError | UnexpectedAnswerError {
  const problem = asJson(body);
  if (typeof problem?.code === "string") return new ProblemError(problem);
  return new UnexpectedAnswerError(new Response(null, { status: Math.max(200, status) }));
}

/** Undefined for a body that is not a valid JSON object, such as that of a proxy. */
function asJson(body: string): Problem | undefined {
  if (!body.startsWith("{")) return undefined;
  try {
    return JSON.parse(body) as Problem;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
