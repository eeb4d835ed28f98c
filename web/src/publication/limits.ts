/** Most characters of a comment and of a reason; the service rejects longer ones. */
export const LONGEST_TEXT = 10_000;
export const LONGEST_PUBLIC_REASON = 2_000;
