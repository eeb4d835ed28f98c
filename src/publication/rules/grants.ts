/**
 * To whom access to closed files is granted: the person with an account (the owner name, which contains the OpenID
 * subject), the person whose e-mail address the identity provider has verified, or all who have a link.
 */
export const GRANT_KINDS = ["subject", "email", "link"] as const;
export type GrantKind = (typeof GRANT_KINDS)[number];

export const ACCESS_REQUEST_STATES = ["open", "granted", "refused"] as const;
export type AccessRequestState = (typeof ACCESS_REQUEST_STATES)[number];

/**
 * What was read with a grant: a file, a folder or the whole version as a ZIP archive, or only a list of files or a description
 * (`view`). `other` counts further files and folders together.
 */
export const GRANT_USE_KINDS = ["view", "file", "folder", "package", "other"] as const;
export type GrantUseKind = (typeof GRANT_USE_KINDS)[number];

/** Files and folders that are recorded one by one for a grant, so that a program that reads a million files needs no more. */
export const MOST_READ = 1_000;
/** Requests for the same file that follow each other within this time are one use, such as the parts of a download. */
export const SAME_USE_MS = 30_000;

/** Grants in force, and open requests of people with an account and of those without one, that a dataset can have. */
export const MOST_GRANTS = 1_000;
export const MOST_OPEN_REQUESTS = 100;

/** How long links are valid: unless another time is stated, and at most. People forget links that they no longer need. */
export const LINK_DAYS = 90;
export const LONGEST_LINK_DAYS = 366;

/** What of a grant decides whether it opens the files of a version. */
export interface GrantTerms {
  dataset_id: string;
  version: number | null;
  expires_at: Date | null;
  revoked_at: Date | null;
}

/** Whether a grant was neither revoked nor has expired. Decided for each request. */
export function isInForce({ expires_at, revoked_at }: GrantTerms, now: Date): boolean {
  return revoked_at === null && (expires_at === null || now < expires_at);
}

/** Whether a grant opens the files of a version now, if the version is published. */
export function opensFiles(grant: GrantTerms, dataset: string, version: number, now: Date): boolean {
  return isInForce(grant, now) && grant.dataset_id === dataset && (grant.version ?? version) === version;
}

/** An e-mail address in the form in which addresses are compared. Providers treat upper and lower case alike. */
export function comparableEmail(address: string): string {
  return address.trim().toLowerCase();
}
