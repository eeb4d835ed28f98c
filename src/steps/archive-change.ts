import { countArchiveChange } from "../db/archive-state.ts";
import type { StepContext } from "./context.ts";

/**
 * Announces a change of the archive that the database already knows, right before it is made: a publication, a publication
 * record or a withdrawal. The database is committed first, then the number, then the archive. A database backup that does not
 * contain the change therefore has a lower number than the archive, see `changes.ts` of the archive.
 */
export async function announceChange({ db, store }: StepContext): Promise<void> {
  await store.recordChange(await countArchiveChange(db));
}
