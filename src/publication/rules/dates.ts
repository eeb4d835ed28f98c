import type { AccessKind } from "../../../packages/rules/src/index.ts";
import { isOpen } from "./access.ts";

/** The days that descriptions of a published version state, `YYYY-MM-DD` in UTC. */
export interface PublicationDates {
  /**
   * Day of publication. It never changes, and its year is the one in citations. While the version is being registered, it is the
   * day of the first request that can make the DOI findable. It changes only if that is refused, or after a new approval.
   */
  issued: string;
  /** First day on which all readers can read the files; absent with restricted access. */
  available?: string;
}

interface Access {
  access: AccessKind;
  embargoDate: string | null;
}

/** What decides about the dates of a version. */
export interface DatedPublication extends Access {
  /** Null before the first request that can make its DOI findable. */
  publishedAt: Date | null;
  /** See {@link openedOn}. */
  openedOn: string | null;
}

/** The dates of a version that is or was published, or is published now. */
export function publicationDates(publication: DatedPublication, now: Date): PublicationDates {
  const { publishedAt, access, embargoDate, openedOn: opened } = publication;
  const issued = dayOf(publishedAt ?? now);
  if (access === "restricted") return { issued };
  const open = (access === "embargoed" ? embargoDate : opened) ?? issued;
  return { issued, available: open > issued ? open : issued };
}

/**
 * The day on which a change opens files that were closed after publication, to be kept with the access `open`; null if the
 * files are open since publication, or are closed.
 */
export function openedOn(before: DatedPublication, access: AccessKind, now: Date): string | null {
  if (access !== "open" || before.publishedAt === null) return null;
  if (!isOpen(before, now)) return dayOf(now);
  return before.access === "embargoed" ? before.embargoDate : before.openedOn;
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}
