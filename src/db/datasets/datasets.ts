import type { Selectable } from "kysely";
import { Problem } from "../../domain/problems.ts";
import type { LogEntry } from "../../domain/submission/events.ts";
import { datasetUrn, isUuid } from "../../domain/uuid.ts";
import type { Queries } from "../database.ts";
import { addEvent } from "../submissions/events.ts";
import { type SubmissionRow, selectSubmission, type Trx } from "../submissions/submissions.ts";
import type { DatasetTable, DatasetVersionTable } from "../tables/dataset-tables.ts";

export type DatasetRow = Selectable<DatasetTable>;
export type VersionRow = Selectable<DatasetVersionTable>;

/** The dataset with this id, or undefined, also for a text that is not an id. */
export async function findDataset(db: Queries, id: string): Promise<DatasetRow | undefined> {
  if (!isUuid(id)) return undefined;
  return db.selectFrom("dataset").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Newest first. */
export async function versionsOf(db: Queries, id: string): Promise<VersionRow[]> {
  return db.selectFrom("dataset_version").selectAll().where("dataset_id", "=", id).orderBy("version", "desc").execute();
}

/**
 * Locks the dataset for the rest of the transaction. A transaction that locks other rows of a dataset, too, locks the dataset
 * first. Like all locks of rows here, it does not hold back rows that only refer to the locked one (`for no key update`).
 */
export async function lockDataset(trx: Trx, id: string): Promise<DatasetRow | undefined> {
  if (!isUuid(id)) return undefined;
  return trx.selectFrom("dataset").selectAll().where("id", "=", id).forNoKeyUpdate().executeTakeFirst();
}

/** As {@link lockDataset}. @throws Problem `not_found`, `dataset_withdrawn` */
export async function lockPresentDataset(trx: Trx, id: string): Promise<DatasetRow> {
  const dataset = await lockDataset(trx, id);
  if (dataset === undefined) throw new Problem("not_found", "The dataset does not exist");
  requirePresent(dataset);
  return dataset;
}

/** @throws Problem `dataset_withdrawn` */
export function requirePresent({ withdrawn_at, withdrawn_reason }: DatasetRow): void {
  if (withdrawn_at === null) return;
  throw new Problem("dataset_withdrawn", `The dataset has been withdrawn: ${withdrawn_reason}`);
}

/** Whether a submission for a version of the dataset is open or being published, or its metadata are being changed. */
export async function isBusy(db: Queries, id: string, except?: string): Promise<boolean> {
  let query = db
    .selectFrom("submission")
    .select("id")
    .where("dataset_id", "=", id)
    .where("status", "not in", ["completed", "cancelled", "failed"]);
  if (except !== undefined) query = query.where("id", "!=", except);
  if ((await query.executeTakeFirst()) !== undefined) return true;
  const revision = db.selectFrom("metadata_revision").select("id").where("dataset_id", "=", id);
  return (await revision.where("finished_at", "is", null).executeTakeFirst()) !== undefined;
}

/** The submission that became a version; undefined if there is none. */
export async function submissionOfVersion(
  db: Queries,
  id: string,
  version: number,
): Promise<SubmissionRow | undefined> {
  return selectSubmission(db)
    .innerJoin("dataset_version", "dataset_version.submission_id", "submission.id")
    .where((eb) => eb.and({ "dataset_version.dataset_id": id, "dataset_version.version": version }))
    .executeTakeFirst();
}

/** As {@link submissionOfVersion}. @throws Error if there is none */
export async function requireSubmissionOfVersion(db: Queries, id: string, version: number): Promise<SubmissionRow> {
  const found = await submissionOfVersion(db, id, version);
  if (found === undefined) throw new Error(`No submission became version ${version} of ${id}`);
  return found;
}

/** Adds an event to the log of the submission that became a version. */
export async function addVersionEvent(trx: Trx, id: string, version: number, event: LogEntry): Promise<void> {
  await addEvent(trx, (await requireSubmissionOfVersion(trx, id, version)).id, event);
}

/**
 * The signed receipt for the newest state of a version: that of its last metadata revision, or of its submission.
 * @throws Error if the version has no receipt
 */
export async function latestReceipt(db: Queries, id: string, version: number): Promise<string> {
  const revised = await db
    .selectFrom("metadata_revision")
    .select("receipt")
    .where((eb) => eb.and({ dataset_id: id, version }))
    .where("published_at", "is not", null)
    .orderBy("revision", "desc")
    .limit(1)
    .executeTakeFirst();
  const receipt = revised?.receipt ?? (await submissionOfVersion(db, id, version))?.receipt;
  if (receipt == null) throw new Error(`Version ${version} of the dataset ${id} has no receipt`);
  return receipt;
}

export async function decideWithdrawal(trx: Trx, id: string, by: string, reason: string): Promise<void> {
  const decision = { withdrawn_at: new Date(), withdrawn_by: by, withdrawn_reason: reason };
  await trx.updateTable("dataset").set(decision).where("id", "=", id).execute();
}

/** Who withdrew a dataset, when and why. */
export interface Withdrawal {
  at: Date;
  by: string;
  reason: string;
}

/** Returns which of these datasets are withdrawn. */
export async function withdrawalsOf(db: Queries, ids: readonly string[]): Promise<Map<string, Withdrawal>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("dataset")
    .select(["id", "withdrawn_at", "withdrawn_by", "withdrawn_reason"])
    .where("id", "in", ids)
    .where("withdrawn_at", "is not", null)
    .execute();
  return new Map(
    rows.map(({ id, withdrawn_at, withdrawn_by, withdrawn_reason }) => [
      id,
      { at: withdrawn_at ?? new Date(0), by: withdrawn_by ?? "", reason: withdrawn_reason ?? "" },
    ]),
  );
}

/** Ids of withdrawn datasets whose files may still exist. */
export async function unfinishedWithdrawals(db: Queries): Promise<string[]> {
  const rows = await db
    .selectFrom("dataset")
    .select("id")
    .where("withdrawn_at", "is not", null)
    .where("removed_at", "is", null)
    .execute();
  return rows.map(({ id }) => id);
}

/** Records that the files are deleted; false if that was recorded before. */
export async function recordRemoved(trx: Trx, id: string): Promise<boolean> {
  const noted = await trx
    .updateTable("dataset")
    .set({ removed_at: new Date() })
    .where("id", "=", id)
    .where("removed_at", "is", null)
    .executeTakeFirst();
  return noted.numUpdatedRows === 1n;
}

/** The tombstone of a withdrawn dataset: its description, and who withdrew it, when and why. */
export async function tombstoneOf(db: Queries, dataset: DatasetRow) {
  const versions = await db
    .selectFrom("dataset_version as one")
    .innerJoin("submission", "submission.id", "one.submission_id")
    .select([
      "version",
      "one.ocfl_version",
      "submission_id",
      "submission.created_at as accepted_at",
      "one.published_at",
      "objects",
      "bytes",
    ])
    .where("one.dataset_id", "=", dataset.id)
    .orderBy("version", "desc")
    .execute();
  return {
    dataset: {
      id: dataset.id,
      identifier: datasetUrn(dataset.id),
      owner: dataset.owner,
      title: dataset.title,
      createdAt: dataset.created_at.toISOString(),
    },
    versions: versions.map(({ version, ocfl_version, submission_id, accepted_at, published_at, objects, bytes }) => ({
      version,
      ...(ocfl_version !== version && { ocflVersion: ocfl_version }),
      submission: submission_id,
      acceptedAt: accepted_at.toISOString(),
      publishedAt: published_at.toISOString(),
      objects,
      bytes,
    })),
    withdrawn: {
      at: (dataset.withdrawn_at ?? new Date(0)).toISOString(),
      by: dataset.withdrawn_by ?? "",
      reason: dataset.withdrawn_reason ?? "",
    },
  };
}
