/** Time without data after which the API reports that the source has stopped sending. */
export const SOURCE_STALLED_MS = 10_000;

/** Time without data after which the service stops reading. More than the five attempts of 30 s for a single object. */
export const SOURCE_SILENT_MS = 180_000;
