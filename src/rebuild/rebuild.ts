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
import { readPublicationRecords, readReviewRecords } from "../archive/archived-records.ts";
import { COLLECTIONS } from "../archive/collections-file.ts";
import { datasetFolder } from "../archive/layout.ts";
import { ArchiveCorrupt, readJsonOf, readText } from "../archive/read-archived.ts";
import type { ArchiveReader } from "../archive/reader.ts";
import { type Survey, surveyArchive } from "../archive/survey.ts";
import type { Queries } from "../db/database.ts";
import { findDataset } from "../db/datasets/datasets.ts";
import { committedRevision, datasetIds, isBeingPublished } from "../db/rebuild-rows.ts";
import { restoreCollections } from "./restore-collections.ts";
import { type ArchivedDataset, restoreDataset, updateDataset } from "./restore-dataset.ts";
import { publicationsThatDiffer } from "./restore-publications.ts";
import { restoreTombstone } from "./restore-tombstone.ts";

const Jwks = Type.Object({ keys: Type.Array(Type.Object({ kty: Type.String(), kid: Type.String() })) });

/** The result for one dataset or other entry of the archive. `path` is relative to the archive. */
export type Outcome =
  | { outcome: "taken_in" | "tombstone_taken_in"; path: string; dataset: string; objects: number; bytes: number }
  | { outcome: "known" | "updated"; path: string; dataset: string }
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

/**
 * Adds what the archive has and the database lacks: datasets with their completed submissions, later versions, metadata
 * revisions, publication records and withdrawals. Everything else in the database stays. Only reads the archive. May be
 * repeated after an interruption, because each dataset is one transaction. Invalid datasets are reported and skipped.
 *
 * @returns false if a dataset of the database was skipped: it may be closed in the archive
 * @throws the signal's reason after an abort; datasets that were restored before are kept
 */
export async function rebuild(context: Context, listener: Listener, signal: AbortSignal): Promise<boolean> {
  await restoreCollections(context.db, context.reader).catch((error: unknown) =>
    listener.outcome(refusal(COLLECTIONS, error)),
  );
  const known = await datasetsByFolder(context.db);
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
  let isCurrent = true;
  const take = async (path: string, folder: string, work: () => Promise<Outcome>) => {
    signal.throwIfAborted();
    const outcome = await work().catch((error: unknown) => refusal(path, error));
    if (outcome.outcome === "refused" && known.has(folder)) isCurrent = false;
    listener.outcome(outcome);
  };
  const tombs = new Set<string>();
  for (const id of survey.withdrawn) {
    const folder = datasetFolder(id);
    // The withdrawal is decided even if the tombstone cannot be read, so the object is not restored.
    tombs.add(folder);
    const isRemoved = !survey.objects.some((object) => object.folder === folder);
    await take(`withdrawn/${id}`, folder, () => tombstone(context, id, isRemoved));
  }
  for (const id of survey.withoutTombstone) {
    const folder = datasetFolder(id);
    // Of a visible dataset, the withdrawal was interrupted before anything was removed.
    if (survey.objects.some((object) => object.folder === folder && object.kind === "package")) continue;
    tombs.add(folder);
    await take(`withdrawn/${id}`, folder, async () => {
      throw new ArchiveCorrupt("tombstone.json is missing");
    });
  }
  for (const object of survey.objects) {
    if (tombs.has(object.folder)) continue;
    await take(object.folder, object.folder, async () => {
      const id = known.get(object.folder);
      // The service completes it: its publication is committed in the database, and not finished in the archive.
      const isBegun = object.kind === "unpublished" && id !== undefined && (await isBeingPublished(context.db, id));
      return isBegun
        ? { outcome: "known", path: object.folder, dataset: id }
        : dataset(context, object, listener, signal);
    });
  }
  return isCurrent;
}

/** The ids of all datasets of the database by the folders of their OCFL objects. */
async function datasetsByFolder(db: Queries): Promise<Map<string, string>> {
  return new Map((await datasetIds(db)).map((id) => [datasetFolder(id), id]));
}

async function tombstone(
  { db, reader, keys, beforeWriting }: Context,
  id: string,
  isRemoved: boolean,
): Promise<Outcome> {
  const path = `withdrawn/${id}`;
  const found = await openTombstone(reader, id, keys);
  const known = await findDataset(db, id);
  if (known !== undefined && known.withdrawn_at !== null) return { outcome: "known", path, dataset: id };
  await beforeWriting();
  await restoreTombstone(db, found, isRemoved);
  if (known !== undefined) return { outcome: "updated", path, dataset: id };
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
  // Its files are being removed.
  if (known !== undefined && known.withdrawn_at !== null) return { outcome: "known", path: folder, dataset: id };
  const begun = known === undefined ? undefined : await committedRevision(db, known.id);
  const from = Math.min(begun?.ocfl_version ?? Number.POSITIVE_INFINITY, (known?.latest_ocfl_version ?? 0) + 1);
  const newer = await readNewer({ reader, keys }, folder, { from, newest, latest: known?.latest_version ?? 0 });
  const source = { reader, folder, dataset: id, keys };
  const records = await readPublicationRecords(source);
  const reviews = await readReviewRecords(source).catch((error: unknown) => {
    if (!(error instanceof ArchiveCorrupt)) throw error;
    // The dataset is restored without its reviews, because they decide about nothing that is public.
    listener.outcome({ outcome: "left_alone", path: `${folder}/logs/review`, reason: error.message });
    return [];
  });
  const progress = { signal, whenWritten: (objects: number) => listener.writing(folder, objects) };
  if (known !== undefined) {
    const different = await publicationsThatDiffer(db, id, { records, reviews });
    const isSame =
      newer.versions.length + newer.revisions.length + different.records.length + different.reviews.length === 0;
    if (isSame) return { outcome: "known", path: folder, dataset: id };
    await beforeWriting();
    await updateDataset(db, known, { ...newer, ...different }, progress);
    return { outcome: "updated", path: folder, dataset: id };
  }
  await beforeWriting();
  await restoreDataset(db, { ...newer, records, reviews }, progress);
  const { receipt } = newer.versions.at(-1) ?? first;
  return { outcome: "taken_in", path: folder, dataset: id, objects: receipt.counts.stored, bytes: receipt.bytes };
}

/**
 * The versions and revisions of a dataset that the database lacks, in order, with their checks.
 * @param range.from the first version of the OCFL object to read, up to `newest`
 * @param range.latest the version of the dataset before it; 0 for none
 */
async function readNewer(
  { reader, keys }: Pick<Context, "reader" | "keys">,
  folder: string,
  range: { from: number; newest: number; latest: number },
): Promise<Pick<ArchivedDataset, "versions" | "revisions">> {
  const versions: ArchivedPackage[] = [];
  const revisions: ArchivedRevision[] = [];
  let { latest } = range;
  let head: ArchivedPackage | ArchivedRevision | undefined;
  for (let number = range.from; number <= range.newest; number++) {
    const found = await openPackage(reader, folder, number, keys);
    const isNext = found.receipt.dataset.version === (found.kind === "revision" ? latest : latest + 1);
    if (!isNext) throw new ArchiveCorrupt(`${folder}: the receipt of v${number} is for another version of the dataset`);
    await found.checkInventory();
    head = found;
    if (found.kind === "revision") revisions.push(found);
    else {
      versions.push(found);
      latest++;
    }
  }
  if (head !== undefined) await checkRootInventory(reader, folder, head);
  return { versions, revisions };
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
