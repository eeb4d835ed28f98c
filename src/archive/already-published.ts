import { Problem } from "../domain/problems.ts";

/**
 * The error for a dataset that the archive already contains, or that was withdrawn from it. Nothing is written then.
 */
export function alreadyPublished(): Problem {
  return new Problem(
    "already_published",
    "The archive already contains this dataset or its tombstone. The database is older than the archive",
  );
}

/**
 * Compares the receipt in the archive with the one that was committed in the database.
 * @throws Problem `already_published` if the archive has a different receipt or none
 */
export function requireReceipt(archived: string | undefined, committed: string): void {
  if (archived?.trim() !== committed.trim()) throw alreadyPublished();
}
