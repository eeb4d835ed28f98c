import { countArchiveChange } from "../db/archive-state.ts";
import { Problem } from "../domain/problems.ts";
import type { StepContext } from "./context.ts";

/**
 * Announces a change of the archive that the database already knows, right before it is made: a publication, a publication
 * record or a withdrawal. The database is committed first, then the number, then the archive. A database backup that does not
 * contain the change therefore has a lower number than the archive, see `changes.ts` of the archive.
 *
 * If the database was replaced by an older one while processes were running, they all stop: what is closed in the archive may
 * be open in it. They cannot start again before a rebuild.
 * @throws Problem `archive_unwritable` then
 */
export async function announceChange({ db, store, reportOlderDatabase }: StepContext): Promise<void> {
  const number = await countArchiveChange(db, await store.newestChange());
  if (number !== undefined && (await store.recordChange(number))) return;
  await reportOlderDatabase();
  throw new Problem(
    "archive_unwritable",
    "The archive has changes that the database does not know, so the database was replaced by an older one. Stop all processes and run “accession rebuild”",
  );
}
