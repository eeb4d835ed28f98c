import { holdsDatasets } from "../archive/holds-datasets.ts";
import { objectFolder } from "../archive/layout.ts";
import { type ArchiveLocation, describeLocation } from "../archive/location.ts";
import { openReader } from "../archive/open-archive.ts";
import { type ArchiveState, archiveState, newestDataset, recordArchiveState } from "../db/archive-state.ts";
import type { Queries } from "../db/database.ts";

/** One connection is enough: requests are made one after the other. */
const CONNECTIONS = 1;

/**
 * Compares database and archive before the service uses them, and writes to neither of them when it refuses. A database
 * that was never used belongs to an empty archive: with another one, each archived dataset would be answered with 404. An
 * archive without any dataset belongs to a database that knows none: its file system may not be mounted.
 *
 * @throws Error that says what the operator has to do
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
 * Runs a rebuild and notes in the database that it is incomplete, from the first dataset that is written to the end of the
 * rebuild. A service on an incomplete database would answer requests for the other datasets with 404. A rebuild that fails
 * before it writes anything leaves no note.
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
