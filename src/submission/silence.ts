/** Silence of a source after which it is said that it has stopped sending. */
export const SILENT_MS = 10_000;

/** Silence after which the service stops reading. What a single object is waited for, five tries of 30 s, is less. */
export const GIVEN_UP_MS = 180_000;
