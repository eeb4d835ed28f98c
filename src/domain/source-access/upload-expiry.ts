/** Days after which an upload is deleted to which nothing is sent. */
export const UNUSED_UPLOAD_DAYS = 14;
/** Days before that, at least, on which its owner is told. */
export const UPLOAD_NOTICE_DAYS = 3;

const DAY_MS = 86_400_000;

/** An upload that was not submitted. */
export interface UnusedUpload {
  /** When something was last sent. */
  used_at: Date;
  /** When its owner was told that it expires; null if that has not been done. */
  warned_at: Date | null;
}

/**
 * When an upload expires. A notice that is late, because the service was stopped, postpones it.
 * @param now the earliest time of a notice that was not given yet
 */
export function expiryOfUpload({ used_at, warned_at }: UnusedUpload, now: Date): Date {
  const unused = used_at.getTime() + UNUSED_UPLOAD_DAYS * DAY_MS;
  const told = (warned_at ?? now).getTime() + UPLOAD_NOTICE_DAYS * DAY_MS;
  return new Date(Math.max(unused, told));
}

/** Uploads that expire now were last used, and their owners told, before these times. */
export function expiringSince(now: Date): { used: Date; warned: Date } {
  return { used: before(now, UNUSED_UPLOAD_DAYS), warned: before(now, UPLOAD_NOTICE_DAYS) };
}

/** The owners of uploads that were last used before this time are told. */
export function noticeSince(now: Date): Date {
  return before(now, UNUSED_UPLOAD_DAYS - UPLOAD_NOTICE_DAYS);
}

/** The number of a day (UTC), for instance of the one on which an upload expires. */
export function dayNumber(at: Date): number {
  return Math.floor(at.getTime() / DAY_MS);
}

function before(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS);
}
