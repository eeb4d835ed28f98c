import { setTimeout as sleep } from "node:timers/promises";
import { Problem } from "../../domain/problems.ts";
import { BACK_OFFS, pauseAfter } from "../../platform/back-off.ts";

const TRIES = 5;

/**
 * Retries Problems that are `retryable`, with growing jittered pauses that respect the server's Retry-After. After the
 * last attempt its Problem is thrown. All other errors are thrown at once.
 *
 * @param limits.tries number of attempts; none begins after `limits.withinMs`
 */
export async function withRetries<T>(
  signal: AbortSignal,
  attempt: () => Promise<T>,
  { tries = TRIES, withinMs = Number.POSITIVE_INFINITY }: { tries?: number; withinMs?: number } = {},
): Promise<T> {
  const began = performance.now();
  for (let n = 1; ; n++) {
    try {
      return await attempt();
    } catch (error) {
      signal.throwIfAborted();
      const isLast = n >= tries || performance.now() - began >= withinMs;
      if (!(error instanceof Problem) || !error.retryable || isLast) throw error;
      await sleep(pauseMs(n, error.retryAfter), undefined, { signal });
    }
  }
}

/** Milliseconds to wait after the nth failure: it grows and varies, but is never less than the server's Retry-After. */
export function pauseMs(n: number, retryAfterSeconds = 0): number {
  return Math.max(pauseAfter(n, BACK_OFFS.sourceRequest), retryAfterSeconds * 1000);
}
