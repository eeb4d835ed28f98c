import { holdsDatasets } from "../archive/holds-datasets.ts";
import { objectFolder } from "../archive/layout.ts";
import { type ArchiveLocation, describeLocation } from "../archive/location.ts";
import { openReader } from "../archive/open-archive.ts";
import { type ArchiveState, archiveState, newestDataset, recordArchiveState } from "../db/archive-state.ts";
import type { Queries } from "../db/database.ts";

/** One connection is sufficient, because requests are sequential. */
const CONNECTIONS = 1;

/**
 * Checks that database and archive belong together before the service uses them. If not, it writes to neither. A new database
 * requires an empty archive: otherwise each archived dataset would be answered with 404. A database with datasets requires an
 * archive with datasets: otherwise its file system may not be mounted.
 *
 * @throws Error that states what the operator must do
 */
export async function requireMatchingArchive(db: Queries, place: ArchiveLocation): Promise<void> {
  const state = await archiveState(db);
  if (state === "rebuilding") {
    throw new Error(
      "A rebuild of the database was interrupted, so datasets may be missing. Run “accession rebuild” again: it resumes, and " +
        "the service starts after it ends",
    );
  }
  const newest = state === "known" ? await newestDataset(db) : undefined;
  if (state === "known" && newest === undefined) return;
  const { reader, close } = await openReader(place, CONNECTIONS);
  try {
    if (newest !== undefined) {
      const inventory = `ocfl/${objectFolder(`urn:uuid:${newest}`)}/inventory.json`;
      if ((await reader.size(inventory)) !== undefined || (await holdsDatasets(reader))) return;
      throw new Error(
        `The database has datasets, but the archive ${describeLocation(place)} has none. Check that its file system is mounted and that ` +
          "ACCESSION_ARCHIVE is correct, or restore the archive from a backup",
      );
    }
    if (await holdsDatasets(reader)) {
      throw new Error(
        `The database is empty, but the archive ${describeLocation(place)} holds datasets. Restore the database from a backup, or run ` +
          "“accession rebuild”, which recreates it from the archive. For a separate service, set another ACCESSION_ARCHIVE",
      );
    }
  } finally {
    close();
  }
  await recordArchiveState(db, "known");
}

/**
 * Runs a rebuild. From the first written dataset to the end of the rebuild, the database is marked as incomplete, because a
 * service on it would answer requests for the other datasets with 404. A rebuild that fails before it writes anything leaves
 * no mark.
 */
export async function rebuilding(
  db: Queries,
  rebuild: (beforeWriting: () => Promise<void>) => Promise<void>,
): Promise<void> {
  let state: ArchiveState = await archiveState(db);
  await rebuild(async () => {
    if (state !== "unknown") return;
    await recordArchiveState(db, "rebuilding");
    state = "rebuilding";
  });
  await recordArchiveState(db, "known");
}
