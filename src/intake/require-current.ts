import type { ArchiveStore } from "../archive/store.ts";
import type { Queries } from "../db/database.ts";
import { findDataset, isBusy } from "../db/datasets/datasets.ts";
import { Problem } from "../domain/problems.ts";

/**
 * Refuses a change of a dataset that could never be archived: the archive has a newer version of its OCFL object than the
 * database, or has withdrawn it, because the database was restored from a backup. Has no effect on a dataset that does not
 * exist or is being changed, or if the archive cannot be read: then the change waits for the archive.
 *
 * @throws Problem `archive_newer`
 */
export async function requireCurrent({ db, store }: { db: Queries; store: ArchiveStore }, id: string): Promise<void> {
  // What looks behind may only have been completed in between.
  if ((await isBehind(db, store, id)) && (await isBehind(db, store, id))) throw new Problem("archive_newer");
}

async function isBehind(db: Queries, store: ArchiveStore, id: string): Promise<boolean> {
  const archived = await archivedVersion(store, id);
  // Read after the archive, because a version is recorded in the database before it becomes visible in the archive.
  const dataset = await findDataset(db, id);
  if (archived === undefined || dataset === undefined || dataset.withdrawn_at !== null) return false;
  if (archived > 0) return archived > dataset.latest_ocfl_version;
  return !(await isBusy(db, id));
}

/** Undefined if the archive cannot be read. */
async function archivedVersion(store: ArchiveStore, id: string): Promise<number | undefined> {
  try {
    const newest = await store.newestVersion(id);
    if (newest === 0) await store.proveSame();
    return newest;
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}
