import { newestChange } from "../archive/identity/changes.ts";
import { holdsDatasets } from "../archive/identity/holds-datasets.ts";
import { IDENTITY, identityIn } from "../archive/identity/identity.ts";
import { datasetFolder } from "../archive/layout.ts";
import { type ArchiveLocation, describeLocation } from "../archive/location.ts";
import { openReader } from "../archive/open-archive.ts";
import { type ArchiveReader, readTextIfExists } from "../archive/reader.ts";
import {
  type ArchiveState,
  archiveChangeOf,
  archiveIdOf,
  archiveState,
  hasSubmissions,
  newestDataset,
  raiseArchiveChange,
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
  const { reader, close } = await openReader(place, CONNECTIONS);
  try {
    await requireSameArchive(reader, place, { id, hasDatasets: newest !== undefined });
    if (state === "known") await requireCurrent(db, reader, place);
    if (state === "known" && newest === undefined) return id;
    if (newest !== undefined) {
      const inventory = `${datasetFolder(newest)}/inventory.json`;
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
    // Announced, but never made, such as by a service whose database was removed.
    await raiseArchiveChange(db, await newestChange(reader));
  } finally {
    close();
  }
  await recordArchiveState(db, "known");
  return id;
}

/** @throws Error if this is not the archive with which the database was used */
export async function requireSameArchive(
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
 * The changes of the archive are counted in both. If the archive has more, the database was restored from a backup: access that
 * was closed after the backup would be open again.
 * @throws Error if the database is older than the archive
 */
async function requireCurrent(db: Queries, reader: ArchiveReader, place: ArchiveLocation): Promise<void> {
  // Read before the database, because a change is counted there first.
  const archived = await newestChange(reader);
  const known = await archiveChangeOf(db);
  if (archived <= known) return;
  if (!(await hasSubmissions(db)) && !(await holdsDatasets(reader))) return raiseArchiveChange(db, archived);
  const newer = archived - known;
  throw new Error(
    `The database is older than the archive ${describeLocation(place)}, which has ${newer} more ${newer === 1 ? "change" : "changes"}, such as ` +
      "closed access, withdrawals or new datasets. Stop all processes and run “accession rebuild”: it takes over what is newer in the " +
      "archive and keeps everything else in the database",
  );
}

/**
 * Runs a rebuild. From the first written dataset to the end of the rebuild, the database is marked as incomplete, because a
 * service on it would answer requests for the other datasets with 404. A rebuild that fails before it writes anything leaves
 * no mark. After a rebuild that took over everything, the database knows all changes of the archive.
 *
 * @param rebuild returns whether what the archive has of all datasets of the database was valid
 */
export async function rebuilding(
  db: Queries,
  reader: ArchiveReader,
  rebuild: (beforeWriting: () => Promise<void>) => Promise<boolean>,
): Promise<void> {
  let state: ArchiveState = await archiveState(db);
  const changes = await newestChange(reader);
  const isCurrent = await rebuild(async () => {
    if (state !== "unknown") return;
    await recordArchiveState(db, "rebuilding");
    state = "rebuilding";
  });
  if (isCurrent) await raiseArchiveChange(db, changes);
  await recordArchiveState(db, "known");
}
