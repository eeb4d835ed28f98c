import { ProblemError } from "./problem.ts";

const PAUSE_MS = 1_000;
/** So long a service may be away, for instance for a restart. */
const MAX_UNAVAILABLE_MS = 90_000;

/**
 * Does this again while the service is away or asks to slow down, for at most 90 s.
 *
 * @throws what it throws last; ProblemError at once for what would not get better; the signal's reason
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
  // Anything else is of the network, or of a proxy that misses the service.
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
