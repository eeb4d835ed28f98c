import type { LogEntry } from "./events.ts";
import { several, size } from "./numbers.ts";

/*
 * What a log says from publication on. The package was sealed before any of it, so the archive holds none of these
 * entries: a rebuilt database has them in the same words because they are made here alone.
 */

/** Whether the source may be deleted as far as the archive can tell, and the sentence that says why (CONTRACT 5). */
export interface DeletionVerdict {
  sourceMayBeDeleted: "yes" | "no";
  statement: string;
}

/** From here on the package can only become part of the archive. Nothing is made public by that. */
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
