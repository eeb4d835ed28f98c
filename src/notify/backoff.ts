const SECOND_MS = 1_000;
/** Pauses after the first failure, the second failure, and so on. The last pause is repeated. */
const PAUSES_SECONDS = [2, 10, 60, 300, 900, 1_800, 3_600, 7_200, 14_400];
/** Each pause is randomly up to this fraction shorter or longer, so that deliveries that failed together are not retried together. */
const JITTER = 0.25;
const LONGEST_WISH_MS = 3_600_000;

/** Time of the next try, at the latest `expiresAt`; undefined if the failed try was the last one. */
export function nextTry(failures: number, now: Date, expiresAt: Date, wishedMs = 0): Date | undefined {
  if (now >= expiresAt) return undefined;
  const pause = (PAUSES_SECONDS[Math.min(failures, PAUSES_SECONDS.length) - 1] ?? 0) * SECOND_MS;
  const jittered = pause * (1 + JITTER * (2 * Math.random() - 1));
  const wait = Math.max(jittered, Math.min(wishedMs, LONGEST_WISH_MS));
  // The last try is at the deadline.
  return new Date(Math.min(now.getTime() + wait, expiresAt.getTime()));
}
