/** Stores what the archive has of datasets in a database that is being rebuilt. */
import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import type { DeletionVerdict } from "../domain/submission/archive-events.ts";
import type { Queries } from "./database.ts";
import { submissionOfVersion } from "./datasets/datasets.ts";
import { type RevisionRow, revisionInProgress } from "./datasets/revisions.ts";
import { type Documents, insertSubmission, type NewSubmission } from "./submissions/documents.ts";
import type { Trx } from "./submissions/submissions.ts";
import type { DatasetTable, DatasetVersionTable } from "./tables/dataset-tables.ts";
import type { PublicationRecordTable } from "./tables/publication-tables.ts";
import type { EventTable, SubmissionTable } from "./tables/submission-tables.ts";

/** The ids of all datasets, withdrawn ones included. */
export async function datasetIds(db: Queries): Promise<string[]> {
  return (await db.selectFrom("dataset").select("id").execute()).map(({ id }) => id);
}

/** Whether the first version of a dataset is committed, and not recorded as visible yet. */
export async function isBeingPublished(db: Queries, dataset: string): Promise<boolean> {
  const found = await submissionOfVersion(db, dataset, 1);
  return found !== undefined && found.status !== "completed" && found.published_at !== null;
}

/** The versions of a dataset whose submissions are completed. */
export async function completedVersions(db: Queries, dataset: string): Promise<number[]> {
  const rows = await db
    .selectFrom("dataset_version as one")
    .innerJoin("submission", "submission.id", "one.submission_id")
    .select("version")
    .where((eb) => eb.and({ "one.dataset_id": dataset, status: "completed" }))
    .execute();
  return rows.map(({ version }) => version);
}

/** The metadata revision of a dataset that is committed, and not recorded as visible yet. */
export async function committedRevision(db: Queries, dataset: string): Promise<RevisionRow | undefined> {
  const begun = await revisionInProgress(db, dataset);
  return begun?.published_at == null ? undefined : begun;
}

/** What the archive states of a completed submission. Times are those of the archive. */
export type Completed = Omit<NewSubmission, keyof typeof ENDED | "updated_at" | "finished_at" | "drift" | "verdict"> & {
  published_at: Date;
  documents: Documents;
  drift: object[];
  verdict: DeletionVerdict;
};

/** What is the same for all completed submissions. */
const ENDED = { status: "completed", credentials: null, listing_complete: true, staged: false };

/**
 * Stores a submission as completed. If the database has it in an earlier state, this state is replaced, with the log and the
 * listing; its webhooks, mails and idempotency keys stay.
 */
export async function insertCompleted(trx: Trx, { documents, drift, verdict, ...row }: Completed) {
  for (const table of [
    "event",
    "chunk",
    "folder",
    "unordered_key",
    "displaced",
    "submission_search",
    "digest_list",
    "stated_digest",
  ] as const) {
    await trx.deleteFrom(table).where("submission_id", "=", row.id).execute();
  }
  await insertSubmission(
    trx,
    {
      ...row,
      ...ENDED,
      drift: JSON.stringify(drift),
      verdict: JSON.stringify(verdict),
      // A submission ends when its publication is committed (steps/package/publish.ts).
      updated_at: row.published_at,
      finished_at: row.published_at,
    },
    documents,
    await columnsOf(trx, "submission"),
  );
}

/** The names of all columns of a table. */
async function columnsOf(trx: Trx, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped`.execute(trx);
  return rows.map(({ name }) => name);
}

type Listed = Selectable<SubmissionTable>;

/** Sets the columns that can only be determined from all objects. */
export async function setListed(
  trx: Trx,
  id: string,
  listed: Pick<Listed, "bytes_listed" | "bytes_excluded" | "objects_unchanged" | "bytes_unchanged" | "marker_run">,
): Promise<void> {
  await trx.updateTable("submission").set(listed).where("id", "=", id).execute();
}

/** Inserts events with their original numbers. Later events continue the numbering. */
export async function insertEvents(
  trx: Trx,
  id: string,
  events: readonly (Omit<Insertable<EventTable>, "submission_id" | "data"> & { data: object | null })[],
): Promise<void> {
  const last = events.at(-1);
  if (last === undefined) return;
  const rows = events.map(({ data, ...event }) => ({
    ...event,
    submission_id: id,
    data: data === null ? null : JSON.stringify(data),
  }));
  await trx.insertInto("event").values(rows).execute();
  await trx.updateTable("submission").set({ last_event: last.seq }).where("id", "=", id).execute();
}

/** Disables the idle timeout for this transaction, because it reads the archive, which may pause. */
export async function disableIdleTimeout(trx: Trx): Promise<void> {
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
}

export async function insertDataset(trx: Trx, dataset: Insertable<DatasetTable>): Promise<void> {
  await trx.insertInto("dataset").values(dataset).execute();
}

export async function updateDatasetRow(trx: Trx, id: string, columns: Updateable<DatasetTable>): Promise<void> {
  await trx.updateTable("dataset").set(columns).where("id", "=", id).execute();
}

export async function insertVersions(trx: Trx, versions: readonly Insertable<DatasetVersionTable>[]): Promise<void> {
  if (versions.length === 0) return;
  await trx
    .insertInto("dataset_version")
    .values([...versions])
    .execute();
}

/** Stores a signed record of the archive, instead of another one with this number. */
export async function restoreRecord(trx: Trx, record: Insertable<PublicationRecordTable>): Promise<void> {
  const { jws, issued_at, stored_at } = record;
  await trx
    .insertInto("publication_record")
    .values(record)
    .onConflict((conflict) =>
      conflict.columns(["dataset_id", "version", "kind", "no"]).doUpdateSet({ jws, issued_at, stored_at }),
    )
    .execute();
}

/** Leaves what DataCite and the archive have of the published versions of a dataset as it is. */
export async function leaveRegistered(trx: Queries, dataset: string): Promise<void> {
  await trx
    .updateTable("publication")
    .set({ next_at: null })
    .where("dataset_id", "=", dataset)
    .where("published_at", "is not", null)
    .execute();
}

/** Removes what the database has of a metadata revision. */
export async function removeRevision(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom("metadata_revision").where("id", "=", id).execute();
}
