import type { JSONWebKeySet } from "jose";
import { Type } from "typebox";
import {
  type ArchivedPackage,
  type ArchivedRevision,
  checkRootInventory,
  newestVersion,
  openPackage,
  openTombstone,
} from "../archive/archived-package.ts";
import { readPublicationRecords } from "../archive/archived-records.ts";
import { objectFolder } from "../archive/layout.ts";
import { ArchiveCorrupt, readJsonOf, readText } from "../archive/read-archived.ts";
import type { ArchiveReader } from "../archive/reader.ts";
import { type Survey, surveyArchive } from "../archive/survey.ts";
import type { Queries } from "../db/database.ts";
import { findDataset } from "../db/datasets/datasets.ts";
import { countInProgress } from "../db/rebuild-rows.ts";
import { findSubmission } from "../db/submissions/submissions.ts";
import { restoreDataset, restoreTombstone } from "./restore-dataset.ts";

const Jwks = Type.Object({ keys: Type.Array(Type.Object({ kty: Type.String(), kid: Type.String() })) });

/** The result for one dataset or other entry of the archive. `path` is relative to the archive. */
export type Outcome =
  | { outcome: "taken_in" | "tombstone_taken_in"; path: string; dataset: string; objects: number; bytes: number }
  | { outcome: "known"; path: string; dataset: string }
  | { outcome: "refused" | "left_alone"; path: string; reason: string };

/** Receives the progress of a rebuild. */
export interface Listener {
  /** Called once for each dataset and for every other entry. */
  outcome(outcome: Outcome): void;
  /** Called periodically while names are listed. */
  looking(files: number): void;
  /** Called periodically while a large dataset is restored. */
  writing(path: string, objects: number): void;
}

interface Context {
  db: Queries;
  /** Called at least once before the database is written. */
  beforeWriting: () => Promise<void>;
  reader: ArchiveReader;
  /** The keys that may have signed receipts. */
  keys: JSONWebKeySet;
}

/** The database cannot be rebuilt because it is in use. The message is for the operator. */
class DatabaseInUse extends Error {
  override readonly name = "DatabaseInUse";
}

/**
 * Adds the completed submissions and datasets of the archive to a database, including withdrawn datasets. Only reads
 * the archive, and does not change existing records, so that an interrupted rebuild can be repeated. Each dataset is
 * one transaction. Invalid datasets are reported and skipped.
 *
 * @throws DatabaseInUse if submissions are in progress in the database
 * @throws the signal's reason after an abort; datasets that were restored before are kept
 */
export async function rebuild(context: Context, listener: Listener, signal: AbortSignal): Promise<void> {
  const open = await countInProgress(context.db);
  if (open > 0) {
    throw new DatabaseInUse(
      `In this database ${open === 1 ? "a submission is" : `${open} submissions are`} in progress, so it is in use. Rebuild ` +
        "into an empty database (another ACCESSION_DATABASE_URL, or without the folder “database” in ACCESSION_DATA); nothing was changed",
    );
  }
  const survey = await surveyArchive(context.reader, (files) => {
    signal.throwIfAborted();
    listener.looking(files);
  });
  for (const path of survey.otherFiles) {
    listener.outcome({ outcome: "left_alone", path, reason: "The service does not store such files in an archive" });
  }
  for (const path of survey.unreadable) {
    const reason =
      "The service does not create such folders in an archive, and the user of this command has no permission to list it";
    listener.outcome({ outcome: "left_alone", path, reason });
  }
  const take = async (path: string, work: () => Promise<Outcome>) => {
    signal.throwIfAborted();
    listener.outcome(await work().catch((error: unknown) => refusal(path, error)));
  };
  const tombs = new Set<string>();
  for (const id of survey.withdrawn) {
    const folder = `ocfl/${objectFolder(`urn:uuid:${id}`)}`;
    // The withdrawal is decided even if the tombstone cannot be read, so the object is not restored.
    tombs.add(folder);
    const isRemoved = !survey.objects.some((object) => object.folder === folder);
    await take(`withdrawn/${id}`, () => tombstone(context, id, isRemoved));
  }
  for (const object of survey.objects) {
    if (tombs.has(object.folder)) continue;
    await take(object.folder, () => dataset(context, object, listener, signal));
  }
}

async function tombstone(
  { db, reader, keys, beforeWriting }: Context,
  id: string,
  isRemoved: boolean,
): Promise<Outcome> {
  const path = `withdrawn/${id}`;
  const found = await openTombstone(reader, id, keys);
  for (const { submission } of found.tombstone.versions) {
    if (await isKnown(db, id, submission)) return { outcome: "known", path, dataset: id };
  }
  await beforeWriting();
  await restoreTombstone(db, found, isRemoved);
  const { objects, bytes } = found.tombstone.versions[0] ?? { objects: 0, bytes: 0 };
  return { outcome: "tombstone_taken_in", path, dataset: id, objects, bytes };
}

async function dataset(
  { db, reader, keys, beforeWriting }: Context,
  { folder, kind }: Survey["objects"][number],
  listener: Listener,
  signal: AbortSignal,
): Promise<Outcome> {
  if (kind === "foreign")
    return { outcome: "left_alone", path: folder, reason: "The object is not a package of Accession" };
  if (kind === "unpublished") {
    throw new ArchiveCorrupt(
      `${folder}/inventory.json is missing: the dataset is not published, its publication is incomplete, or it is damaged. It was not changed`,
    );
  }
  if (kind === "broken") throw new ArchiveCorrupt(`${folder}/0=ocfl_object_1.1 is missing`);
  if (kind === "bare")
    throw new ArchiveCorrupt(`${folder}/logs is missing: the owner of the dataset and its verification are unknown`);
  const first = await openPackage(reader, folder, 1, keys);
  if (first.kind === "revision") throw new ArchiveCorrupt(`${folder} begins with a metadata revision`);
  const { id } = first.receipt.dataset;
  const newest = await newestVersion(reader, folder);
  const known = await findDataset(db, id);
  if (known !== undefined && known.latest_ocfl_version < newest) {
    throw new ArchiveCorrupt(
      `The database has version ${known.latest_ocfl_version} of the OCFL object, but the archive has ${newest}. Rebuild into an empty database to restore it`,
    );
  }
  const versions: [ArchivedPackage, ...ArchivedPackage[]] = [first];
  const revisions: ArchivedRevision[] = [];
  for (let number = 2; number <= newest; number++) {
    const found = await openPackage(reader, folder, number, keys);
    const latest = versions.at(-1) ?? first;
    const expected = found.kind === "revision" ? latest.receipt.dataset.version : latest.receipt.dataset.version + 1;
    if (found.receipt.dataset.version !== expected) {
      throw new ArchiveCorrupt(`${folder}: the receipt of v${number} is for another version of the dataset`);
    }
    if (found.kind === "revision") revisions.push(found);
    else versions.push(found);
  }
  for (const { receipt } of versions) {
    if (await isKnown(db, id, receipt.submission.id)) return { outcome: "known", path: folder, dataset: id };
  }
  const inOrder = [...versions, ...revisions].sort((a, b) => a.ocflVersion - b.ocflVersion);
  for (const version of inOrder) await version.checkInventory();
  const { receipt } = versions.at(-1) ?? first;
  await checkRootInventory(reader, folder, inOrder.at(-1) ?? first);
  const records = await readPublicationRecords(reader, folder, id, keys);
  await beforeWriting();
  await restoreDataset(db, { versions, revisions, records }, signal, (objects) => listener.writing(folder, objects));
  return { outcome: "taken_in", path: folder, dataset: id, objects: receipt.counts.stored, bytes: receipt.bytes };
}

/** @throws ArchiveCorrupt if the database has the submission, but not as completed */
async function isKnown(db: Queries, datasetId: string, submissionId: string): Promise<boolean> {
  if ((await findDataset(db, datasetId)) !== undefined) return true;
  const submission = await findSubmission(db, submissionId);
  if (submission === undefined) return false;
  throw new ArchiveCorrupt(
    `The status of its submission ${submissionId} is ${submission.status} in the database. Rebuild into an empty database to restore it`,
  );
}

function refusal(path: string, error: unknown): Outcome {
  if (error instanceof ArchiveCorrupt) return { outcome: "refused", path, reason: error.message };
  throw error;
}

/**
 * The keys that may have signed the archive's receipts.
 * @param name of the archive, for people
 * @throws Error if there is no archive, or its keys cannot be read
 */
export async function knownKeys(reader: ArchiveReader, name: string): Promise<JSONWebKeySet> {
  try {
    await readText(reader, "ocfl/0=ocfl_1.1");
    return await readJsonOf(Jwks, reader, "jwks.json");
  } catch (error) {
    if (!(error instanceof ArchiveCorrupt)) throw error;
    throw new Error(`${name} is not an archive of Accession: ${error.message}`, { cause: error });
  }
}
