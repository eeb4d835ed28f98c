import { randomUUID } from "node:crypto";
import { type Selectable, sql } from "kysely";
import { CHANNELS } from "../../platform/database/notifications.ts";
import type { Queries } from "../database.ts";
import { renewPublications } from "../publication/publications.ts";
import { type Documents, describeAnew, documentsOf } from "../submissions/documents.ts";
import type { Trx } from "../submissions/submissions.ts";
import type { MetadataRevisionTable } from "../tables/dataset-tables.ts";
import { type DatasetRow, lockDataset, requireSubmissionOfVersion } from "./datasets.ts";

/** Large columns, which are read only where they are needed. */
const DOCUMENTS = ["sent", "metadata", "warnings"] as const;
const COLUMNS = [
  ...["id", "dataset_id", "version", "revision", "ocfl_version", "title", "changed_by", "note"],
  ...["created_at", "fence", "published_at", "finished_at", "receipt"],
] as const;

export type RevisionRow = Omit<Selectable<MetadataRevisionTable>, (typeof DOCUMENTS)[number]>;

/** The metadata of a revision: as sent, normalised, and what the check remarked. */
export type RevisionDocuments = Documents;

/** Records a revision to be made. The caller holds the lock of the dataset. */
export async function insertRevision(
  trx: Trx,
  row: Pick<
    RevisionRow,
    "id" | "dataset_id" | "version" | "revision" | "ocfl_version" | "changed_by" | "note" | "created_at"
  > &
    Partial<Pick<RevisionRow, "fence" | "published_at" | "finished_at" | "receipt">>,
  { sent, metadata, warnings }: RevisionDocuments,
): Promise<void> {
  await trx
    .insertInto("metadata_revision")
    .values({
      ...row,
      title: metadata.title,
      sent: JSON.stringify(sent),
      metadata: JSON.stringify(metadata),
      warnings: JSON.stringify(warnings),
    })
    .execute();
}

/**
 * Records the next metadata revision of the latest version, for a worker to archive. The caller holds the lock of the dataset, and
 * knows that it is not busy.
 * @returns its id
 */
export async function recordRevision(
  trx: Trx,
  { id: dataset_id, latest_version, latest_revision, latest_ocfl_version }: DatasetRow,
  { by, note, at = new Date() }: { by: string; note: string; at?: Date },
  documents: RevisionDocuments,
): Promise<string> {
  const id = randomUUID();
  const numbers = { version: latest_version, revision: latest_revision + 1, ocfl_version: latest_ocfl_version + 1 };
  await insertRevision(trx, { id, dataset_id, ...numbers, changed_by: by, note, created_at: at }, documents);
  return id;
}

export async function findRevision(db: Queries, id: string): Promise<RevisionRow | undefined> {
  return db.selectFrom("metadata_revision").select(COLUMNS).where("id", "=", id).executeTakeFirst();
}

/** The metadata of a revision. @throws Error if it does not exist */
export async function revisionDocuments(db: Queries, id: string): Promise<RevisionDocuments> {
  const found = await db
    .selectFrom("metadata_revision")
    .select(DOCUMENTS)
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return found as RevisionDocuments;
}

/** The newest metadata of a version: those of its last revision, or of its submission. */
export async function newestDocuments(db: Queries, dataset: string, version: number): Promise<RevisionDocuments> {
  const revision = await latestRevision(db, dataset, version);
  if (revision !== undefined) return revisionDocuments(db, revision.id);
  const submission = await requireSubmissionOfVersion(db, dataset, version);
  return documentsOf(db, submission.id);
}

/** The archived revisions of a dataset, newest first. @param version only those of this version */
export async function revisionsOf(db: Queries, dataset: string, version?: number): Promise<RevisionRow[]> {
  let query = db
    .selectFrom("metadata_revision")
    .select(COLUMNS)
    .where("dataset_id", "=", dataset)
    .where("published_at", "is not", null)
    .where("finished_at", "is not", null);
  if (version !== undefined) query = query.where("version", "=", version);
  return query.orderBy("ocfl_version", "desc").execute();
}

/** The newest archived revision of a version; undefined if its metadata were never changed. */
export async function latestRevision(db: Queries, dataset: string, version: number): Promise<RevisionRow | undefined> {
  return (await revisionsOf(db, dataset, version))[0];
}

/** The revision of a dataset that is being made; undefined if there is none. */
export async function revisionInProgress(db: Queries, dataset: string): Promise<RevisionRow | undefined> {
  return db
    .selectFrom("metadata_revision")
    .select(COLUMNS)
    .where("dataset_id", "=", dataset)
    .where("finished_at", "is", null)
    .executeTakeFirst();
}

/** Ids of the revisions that are being made. */
export async function unfinishedRevisions(db: Queries): Promise<string[]> {
  const rows = await db.selectFrom("metadata_revision").select("id").where("finished_at", "is", null).execute();
  return rows.map(({ id }) => id);
}

/** Gives up a revision whose publication is not committed. A worker that is making it can no longer commit it. */
export async function dropRevision(trx: Trx, id: string): Promise<boolean> {
  const dropped = await trx
    .updateTable("metadata_revision")
    .set({ finished_at: new Date() })
    .where("id", "=", id)
    .where("published_at", "is", null)
    .where("finished_at", "is", null)
    .returning("dataset_id")
    .executeTakeFirst();
  if (dropped !== undefined) await notifyEnd(trx, dropped.dataset_id);
  return dropped !== undefined;
}

/** Tells those who wait, at the commit, that a revision of the dataset has ended. */
async function notifyEnd(trx: Trx, dataset: string): Promise<void> {
  await sql`select pg_notify(${CHANNELS.revision}, ${dataset})`.execute(trx);
}

/** Those of the ids that are revisions which no longer need a staging area. */
export async function revisionsToDiscard(db: Queries, ids: readonly string[]): Promise<RevisionRow[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom("metadata_revision")
    .select(COLUMNS)
    .where("id", "in", ids)
    .where("finished_at", "is not", null)
    .execute();
}

/** Claims a revision for one worker, see `takeFence`. Undefined if there is nothing to make. */
export async function takeRevisionFence(db: Queries, id: string): Promise<number | undefined> {
  const taken = await db
    .updateTable("metadata_revision")
    .set((eb) => ({ fence: eb("fence", "+", 1) }))
    .where("id", "=", id)
    .where("published_at", "is", null)
    .where("finished_at", "is", null)
    .returning("fence")
    .executeTakeFirst();
  return taken?.fence;
}

/*
 * Transactions that change a revision lock its dataset first, so that two of them never wait for each other.
 */

/**
 * Commits the publication of a revision that this worker has made. From then on it will become visible.
 * @returns false if another worker has it, or it was given up
 * @throws Error if the dataset has another version of the OCFL object by now
 */
export async function commitRevision(
  trx: Trx,
  { id, dataset_id, ocfl_version }: RevisionRow,
  { fence, publishedAt, receipt }: { fence: number; publishedAt: Date; receipt: string },
): Promise<boolean> {
  await lockDataset(trx, dataset_id);
  const committed = await trx
    .updateTable("metadata_revision")
    .set({ published_at: publishedAt, receipt })
    .where((eb) => eb.and({ id, fence }))
    .where("published_at", "is", null)
    .where("finished_at", "is", null)
    .executeTakeFirst();
  if (committed.numUpdatedRows !== 1n) return false;
  const head = await trx
    .updateTable("dataset")
    .set({ latest_ocfl_version: ocfl_version })
    .where((eb) => eb.and({ id: dataset_id, latest_ocfl_version: ocfl_version - 1 }))
    .where("withdrawn_at", "is", null)
    .executeTakeFirst();
  // Nothing is committed then.
  if (head.numUpdatedRows !== 1n) throw new Error(`v${ocfl_version} is not the next version of ${dataset_id}`);
  return true;
}

/** What is changed before publication is nothing that the public learns, not even by the date of what it sees. */
async function renewIfPublic(
  trx: Trx,
  { dataset_id, version }: Pick<RevisionRow, "dataset_id" | "version">,
): Promise<void> {
  const published = await trx
    .selectFrom("publication")
    .select("version")
    .where((eb) => eb.and({ dataset_id, version }))
    .where("published_at", "is not", null)
    .executeTakeFirst();
  if (published !== undefined) await renewPublications(trx, dataset_id);
}

/** Records that a committed revision is visible. @returns false if that was recorded before */
export async function finishRevision(
  trx: Trx,
  { id, dataset_id, version, revision }: RevisionRow,
  submission: string,
  documents: RevisionDocuments,
): Promise<boolean> {
  await lockDataset(trx, dataset_id);
  const finished = await trx
    .updateTable("metadata_revision")
    .set((eb) => ({ finished_at: eb.ref("published_at") }))
    .where("id", "=", id)
    .where("published_at", "is not", null)
    .where("finished_at", "is", null)
    .executeTakeFirst();
  if (finished.numUpdatedRows !== 1n) return false;
  await trx
    .updateTable("dataset")
    .set({ latest_revision: revision, title: documents.metadata.title })
    .where((eb) => eb.and({ id: dataset_id, latest_version: version }))
    .execute();
  await describeAnew(trx, submission, documents);
  await renewIfPublic(trx, { dataset_id, version });
  await notifyEnd(trx, dataset_id);
  return true;
}
