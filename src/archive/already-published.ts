import { Problem } from "../domain/problems.ts";

/** Why nothing is written for a dataset that stands in the archive, or was withdrawn from it. */
export function alreadyPublished(): Problem {
  return new Problem(
    "already_published",
    "This dataset is in the archive already, or was withdrawn from it: the database is older than the archive",
  );
}

/**
 * Compares the receipt of a dataset that stands with the one that was committed for it.
 * @throws Problem `already_published` when it is another one, or none
 */
export function requireReceipt(archived: string | undefined, committed: string): void {
  if (archived?.trim() !== committed.trim()) throw alreadyPublished();
}
