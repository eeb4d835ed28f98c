import { BACK_OFFS, pauseAfter } from "../platform/back-off.ts";

const LONGEST_WISH_MS = 3_600_000;

/** Time of the next try, at the latest `expiresAt`; undefined if the failed try was the last one. */
export function nextTry(failures: number, now: Date, expiresAt: Date, wishedMs = 0): Date | undefined {
  if (now >= expiresAt) return undefined;
  const wait = Math.max(pauseAfter(failures, BACK_OFFS.delivery), Math.min(wishedMs, LONGEST_WISH_MS));
  // The last try is at the deadline.
  return new Date(Math.min(now.getTime() + wait, expiresAt.getTime()));
}
