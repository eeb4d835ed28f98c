/** Days before the end of an embargo on which its owner is told; 0 is the end itself. */
export const EMBARGO_NOTICES = [0, 7, 30] as const;
const DAY_MS = 86_400_000;

/** A notice about the end of an embargo. */
export interface EmbargoNotice {
  /** The first day on which the files are open, `YYYY-MM-DD` in UTC. */
  date: string;
  days: (typeof EMBARGO_NOTICES)[number];
}

/** The notice that applies at a moment; undefined if the end is too far away. Later notices replace earlier ones. */
export function embargoNotice(date: string | null, now: Date): EmbargoNotice | undefined {
  if (date === null) return undefined;
  const left = Date.parse(`${date}T00:00:00.000Z`) - now.getTime();
  const days = EMBARGO_NOTICES.find((one) => left <= one * DAY_MS);
  return days === undefined ? undefined : { date, days };
}

/**
 * A notice as it is stored, so that it is given once. It names the date, because a changed embargo has new notices. An
 * embargo that starts within the last days has no notice for the days before.
 */
export function embargoNoticeKey(date: string | null, now: Date): string | null {
  if (date === null) return null;
  return `${date} ${embargoNotice(date, now)?.days ?? "-"}`;
}

/** The notice to give now: undefined if none applies, or if it or a later one was given. */
export function dueEmbargoNotice(date: string | null, last: string | null, now: Date): EmbargoNotice | undefined {
  const notice = embargoNotice(date, now);
  if (notice === undefined || last === null) return notice;
  const [of, days] = last.split(" ");
  // If the clock was set back, the present notice may be an earlier one.
  const isGiven = of === date && days !== "-" && Number(days) <= notice.days;
  return isGiven ? undefined : notice;
}
