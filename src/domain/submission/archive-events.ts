import { several, size } from "../numbers.ts";
import type { LogEntry } from "./events.ts";

/*
 * Log entries from publication on. They are later than the sealed package, so the archive does not contain them. A rebuilt
 * database has the same texts, because only this file makes them.
 */

/** Whether, according to the archive, the source may be deleted, and why (docs/package-format.md, “The receipt”). */
export interface DeletionVerdict {
  sourceMayBeDeleted: "yes" | "no";
  statement: string;
}

/** The event that publication is committed and can only be completed. It does not make the dataset public. */
export function publishing(): LogEntry {
  return {
    type: "publishing",
    message: "Storing the dataset in the archive; the submission can no longer be cancelled",
  };
}

export function completed(
  of: { dataset: string | null; version: number | null },
  held: Held,
  { sourceMayBeDeleted, statement }: DeletionVerdict,
): LogEntry {
  return {
    type: "completed",
    message: `The dataset is archived: ${several(held.objects, "object")}, ${size(held.bytes)}`,
    data: { dataset: of.dataset, version: of.version, sourceMayBeDeleted, statement },
  };
}

/**
 * The event that the metadata of a version were changed after archiving.
 * @param revision.by empty if the service made the revision, which changes no metadata
 * @param revision.note may be empty
 * @param revision.review the review of the version, if it is being reviewed
 */
export function metadataChanged({ version, revision, by, note, review }: ChangedMetadata): LogEntry {
  const what = by === "" ? "The service wrote the archived metadata again" : `The metadata were changed by ${by}`;
  return {
    type: "metadata_changed",
    message: `${what} (revision ${revision})${note === "" ? "" : `: ${note}`}`,
    data: { version, revision, by, note, ...review },
  };
}

interface ChangedMetadata {
  version: number;
  revision: number;
  by: string;
  note: string;
  review?: ReviewedChange;
}

/** What a change of metadata during a review states in addition, for the mail to the other party. */
export interface ReviewedChange {
  dataset: string;
  /** The state of the publication. */
  state: string;
  /** The side on which the person changed the metadata. */
  party: "owner" | "curator";
}

export function withdrawn(dataset: string, version: number, by: string, reason: string): LogEntry {
  return {
    type: "withdrawn",
    message: `The dataset was withdrawn. Reason: ${reason}`,
    data: { dataset, version, by, reason },
  };
}

export function removed(): LogEntry {
  return { type: "removed", message: "The files of the dataset were deleted; the receipt and the tombstone are kept" };
}

interface Held {
  objects: number;
  bytes: number;
}
