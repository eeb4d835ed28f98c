import type { LogEntry } from "./events.ts";
import { several, size } from "./numbers.ts";

/*
 * Log entries from publication on. They are later than the sealed package, so the archive does not contain them. A rebuilt
 * database has the same texts, because only this file makes them.
 */

/** Whether the source may be deleted as far as the archive can tell, and why (docs/package-format.md, “The receipt”). */
export interface DeletionVerdict {
  sourceMayBeDeleted: "yes" | "no";
  statement: string;
}

/** Publication is committed: from now on it can only be completed. The dataset does not become public by that. */
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

export function withdrawn(dataset: string, by: string, reason: string): LogEntry {
  return {
    type: "withdrawn",
    message: `The dataset was withdrawn, because: ${reason}`,
    data: { dataset, by, reason },
  };
}

export function removed(): LogEntry {
  return { type: "removed", message: "The dataset’s bytes are removed; receipt and tombstone stay" };
}

interface Held {
  objects: number;
  bytes: number;
}
