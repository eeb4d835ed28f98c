import { ProblemError } from "./problem.ts";

const PAUSE_MS = 1_000;
/** Maximum interruption of the service, for example for a restart. */
const MAX_UNAVAILABLE_MS = 90_000;

/**
 * Repeats a request while the service cannot be reached or limits the rate, for at most 90 s.
 *
 * @throws the last error; ProblemError immediately if a retry cannot help; the signal's reason
 */
export async function retryWhileUnavailable<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  const end = Date.now() + MAX_UNAVAILABLE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      signal?.throwIfAborted();
      if (!isRetryable(error) || Date.now() > end) throw error;
    }
    await pause(PAUSE_MS, signal);
  }
}

/** Whether the same request can succeed later. */
export function isRetryable(error: unknown): boolean {
  // All other errors come from the network or a proxy.
  return !(error instanceof ProblemError) || error.problem.status === 503 || error.problem.status === 429;
}

/** @throws the signal's reason */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
