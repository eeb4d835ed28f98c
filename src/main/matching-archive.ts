import { holdsDatasets } from "../archive/identity/holds-datasets.ts";
import { IDENTITY, identityIn } from "../archive/identity/identity.ts";
import { objectFolder } from "../archive/layout.ts";
import { type ArchiveLocation, describeLocation } from "../archive/location.ts";
import { openReader } from "../archive/open-archive.ts";
import { readTextIfExists } from "../archive/read-text.ts";
import type { ArchiveReader } from "../archive/reader.ts";
import {
  type ArchiveState,
  archiveIdOf,
  archiveState,
  newestDataset,
  recordArchiveState,
} from "../db/archive-state.ts";
import type { Queries } from "../db/database.ts";

/** One connection is sufficient, because requests are sequential. */
const CONNECTIONS = 1;

/**
 * Checks that database and archive belong together before the service uses them. If not, it writes to neither. A new database
 * requires an empty archive: otherwise each archived dataset would be answered with 404. A database with datasets requires an
 * archive with datasets: otherwise its file system may not be mounted. A database that knows the id of its archive requires
 * this archive, or one without an id that holds its datasets, which is a copy.
 *
 * @returns the id of the archive, if the database knows it
 * @throws Error that states what the operator must do
 */
export async function requireMatchingArchive(db: Queries, place: ArchiveLocation): Promise<string | undefined> {
  const state = await archiveState(db);
  if (state === "rebuilding") {
    throw new Error(
      "A rebuild of the database was interrupted, so datasets may be missing. Run “accession rebuild” again: it resumes, and " +
        "the service starts after it ends",
    );
  }
  const newest = state === "known" ? await newestDataset(db) : undefined;
  const id = await archiveIdOf(db);
  if (state === "known" && newest === undefined && id === undefined) return undefined;
  const { reader, close } = await openReader(place, CONNECTIONS);
  try {
    await requireSameArchive(reader, place, { id, hasDatasets: newest !== undefined });
    if (state === "known" && newest === undefined) return id;
    if (newest !== undefined) {
      const inventory = `ocfl/${objectFolder(`urn:uuid:${newest}`)}/inventory.json`;
      if ((await reader.size(inventory)) !== undefined || (await holdsDatasets(reader))) return id;
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
  return id;
}

/** @throws Error if this is not the archive with which the database was used */
async function requireSameArchive(
  reader: ArchiveReader,
  place: ArchiveLocation,
  { id, hasDatasets }: { id: string | undefined; hasDatasets: boolean },
): Promise<void> {
  if (id === undefined) return;
  const found = identityIn(await readTextIfExists(reader, IDENTITY));
  if (found === id || (found === undefined && hasDatasets)) return;
  const where = describeLocation(place);
  throw new Error(
    found === undefined
      ? `The archive ${where} has no file ${IDENTITY}, but the database was used with one that has. Check that its file system is ` +
          `mounted and that ACCESSION_ARCHIVE is correct. If a new archive is intended, write {"id":"${id}"} to its file ${IDENTITY}`
      : `The database was used with another archive than ${where}: its id is ${id}, and ${IDENTITY} there says ${found}. Check that ` +
          "the right file system is mounted and that ACCESSION_ARCHIVE is correct",
  );
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
