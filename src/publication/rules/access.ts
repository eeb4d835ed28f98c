import type { AccessKind } from "../../../packages/rules/src/index.ts";
import type { PublicationState } from "./states.ts";

/** What of the publication decides who may read a version. */
export interface PublicationAccess {
  state: PublicationState;
  /** Whether a DOI may already lead to the version although its registration is not confirmed yet. */
  announced: boolean;
  /** Whether the version was published, now or earlier. */
  wasPublished: boolean;
  /** Whether a DOI became public although the publication was taken back or withdrawn before it was complete. */
  retracted: boolean;
  access: AccessKind;
  /** The first day on which the files of an embargoed version are open, `YYYY-MM-DD` in UTC. */
  embargoDate: string | null;
}

/**
 * What the public may read of a version at a moment: nothing, the notice that it is no longer public, the metadata, or also the
 * files. Decided for each request from the stored state and the clock, never by a job, so that an embargo ends on time even if no
 * job runs.
 *
 * Files are public only in the state `published`. Metadata are public earlier, from the request on that can make the DOI findable,
 * so that the DOI never leads to a missing page.
 */
export type Visibility = "none" | "notice" | "metadata" | "files";

export function publicVisibility(publication: PublicationAccess | undefined, now: Date): Visibility {
  if (publication === undefined) return "none";
  const { state, announced, wasPublished, retracted } = publication;
  if (state === "published") return isOpen(publication, now) ? "files" : "metadata";
  if (state === "registering" && announced) return "metadata";
  // The DOI of a version that was never public leads nowhere, and the public does not learn that the version exists.
  return (state === "withdrawn" && wasPublished) || retracted ? "notice" : "none";
}

/** Whether the public may read the metadata, and perhaps the files. */
export function isReadable(visibility: Visibility): boolean {
  return visibility === "metadata" || visibility === "files";
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
