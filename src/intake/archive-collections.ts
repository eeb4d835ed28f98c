import { writeCollections } from "../archive/collections-file.ts";
import { listCollections, lockAllCollections } from "../db/collections/collections.ts";
import type { Trx } from "../db/submissions/submissions.ts";
import { Problem } from "../domain/problems.ts";
import type { IntakeContext } from "./context.ts";

/**
 * Writes all collections to the archive, before the transaction that has changed one commits: a rebuilt database then has them.
 * Two changes follow each other, so that the file is never older than the last of them.
 *
 * @throws Problem `archive_unwritable`; then nothing is changed
 */
export async function archiveCollections({ collections }: IntakeContext, trx: Trx): Promise<void> {
  await lockAllCollections(trx);
  const rows = await listCollections(trx);
  const archived = rows.map(({ id, name, description, curators, licences, created_at }) => {
    return { id, name, description, curators, licences, createdAt: created_at.toISOString() };
  });
  await writeCollections(collections, archived).catch((cause: unknown) => {
    throw new Problem("archive_unwritable", "The archive cannot be written, so that the collection was not changed", {
      cause,
    });
  });
}
