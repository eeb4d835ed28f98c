/** Who may read the files of a published version. */
export const ACCESS_KINDS = ["open", "embargoed", "restricted"] as const;
export type AccessKind = (typeof ACCESS_KINDS)[number];

/** The named parts of the list of publications. */
export const PUBLICATION_QUEUES = ["new", "mine", "author", "approved", "access", "failing"] as const;
export type PublicationQueue = (typeof PUBLICATION_QUEUES)[number];

/** The roles whose holders may change the metadata of the archived datasets that they can see. */
export const METADATA_EDITORS = ["submitter", "curator", "admin"] as const;

/** Whether metadata cannot be changed in a state of publication: the approved metadata are those that are published. */
export function isMetadataFixed(state: string): boolean {
  return state === "approved" || state === "registering";
}

/** Whether a choice of access must have a reason. @param isChange of the access to a version that is published */
export function needsReason(access: AccessKind, isChange: boolean): boolean {
  return access === "embargoed" || isChange;
}

/** Later dates are probably typing errors. */
const LONGEST_EMBARGO_YEARS = 100;

/**
 * Why an embargo cannot end on a day: it must end in the future, within 100 years. Undefined if it can.
 *
 * @param day `YYYY-MM-DD`
 * @param today `YYYY-MM-DD` in UTC, in which embargoes end
 */
export function embargoFault(day: string, today: string): "past" | "late" | undefined {
  if (day <= today) return "past";
  return day > `${Number(today.slice(0, 4)) + LONGEST_EMBARGO_YEARS}${today.slice(4)}` ? "late" : undefined;
}
