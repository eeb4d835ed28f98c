import type { PublicationState } from "./states.ts";

/** Who may read the files of a published version. */
export const ACCESS_KINDS = ["open", "embargoed", "restricted"] as const;
export type AccessKind = (typeof ACCESS_KINDS)[number];

/** What of the publication decides who may read a version. */
export interface PublicationAccess {
  state: PublicationState;
  /** Whether a DOI may already lead to the version although its registration is not confirmed yet. */
  announced: boolean;
  access: AccessKind;
  /** The first day on which the files of an embargoed version are open, `YYYY-MM-DD` in UTC. */
  embargoDate: string | null;
}

/**
 * What the public may read of a version at a moment: nothing, the metadata, or also the files. Decided for each request from
 * the stored state and the clock, never by a job, so that an embargo ends on time even if no job runs.
 */
export type Visibility = "none" | "metadata" | "files";

export function publicVisibility(publication: PublicationAccess | undefined, now: Date): Visibility {
  if (publication === undefined) return "none";
  const { state, announced } = publication;
  if (state !== "published" && !(state === "registering" && announced)) return "none";
  return isOpen(publication, now) ? "files" : "metadata";
}

/** Whether the files are open to the public at a moment, once the version is published. */
export function isOpen({ access, embargoDate }: Pick<PublicationAccess, "access" | "embargoDate">, now: Date): boolean {
  if (access === "open") return true;
  if (access === "restricted") return false;
  return embargoDate !== null && now.getTime() >= Date.parse(`${embargoDate}T00:00:00.000Z`);
}

/** When the files of an embargoed version open, for people: `open from 1 June 2027 (UTC)`. They are open on that day. */
export function openFrom(embargoDate: string | null): string {
  const day = new Date(embargoDate ?? "");
  return `open from ${Number.isNaN(day.getTime()) ? embargoDate : DAY.format(day)} (UTC)`;
}

const DAY = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });
