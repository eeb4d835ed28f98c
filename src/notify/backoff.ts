import { pauseAfter } from "../platform/back-off.ts";

const PAUSES = {
  pausesMs: [2_000, 10_000, 60_000, 300_000, 900_000, 1_800_000, 3_600_000, 7_200_000, 14_400_000],
  jitter: [0.75, 1.25],
} as const;
const LONGEST_WISH_MS = 3_600_000;

/** Time of the next try, at the latest `expiresAt`; undefined if the failed try was the last one. */
export function nextTry(failures: number, now: Date, expiresAt: Date, wishedMs = 0): Date | undefined {
  if (now >= expiresAt) return undefined;
  const wait = Math.max(pauseAfter(failures, PAUSES), Math.min(wishedMs, LONGEST_WISH_MS));
  // The last try is at the deadline.
  return new Date(Math.min(now.getTime() + wait, expiresAt.getTime()));
}
