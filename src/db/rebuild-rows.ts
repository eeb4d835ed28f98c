/** Inserts rows for archived datasets into a database that is being rebuilt. No function here changes existing rows. */
import { type Insertable, type Selectable, sql } from "kysely";
import type { DeletionVerdict } from "../domain/archive-events.ts";
import type { Queries } from "./database.ts";
import type { DatasetTable, DatasetVersionTable, EventTable, SubmissionTable } from "./schema.ts";
import { type Documents, insertSubmission } from "./submissions/documents.ts";
import type { Trx } from "./submissions/submissions.ts";

/** Number of submissions in progress: neither ended nor failed. */
export async function countInProgress(db: Queries): Promise<number> {
  const { count } = await db
    .selectFrom("submission")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("status", "not in", ["completed", "cancelled", "failed"])
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The columns of a completed submission. Times are those of the archive. */
export type Completed = Pick<
  Insertable<SubmissionTable>,
  | "id"
  | "owner"
  | "attempt"
  | "title"
  | "endpoint"
  | "region"
  | "bucket"
  | "addressing"
  | "anonymous"
  | "dataset_id"
  | "dataset_version"
  | "ocfl_version"
  | "created_at"
  | "published_at"
  | "objects_listed"
  | "objects_stored"
  | "objects_excluded"
  | "bytes_listed"
  | "bytes_stored"
  | "first_read_at"
  | "last_read_at"
  | "drift_total"
  | "receipt"
> & {
  published_at: Date;
  documents: Documents;
  selection: object;
  drift: object[];
  verdict: DeletionVerdict;
};

export async function insertCompleted(trx: Trx, { documents, drift, verdict, ...row }: Completed) {
  await insertSubmission(
    trx,
    {
      ...row,
      status: "completed",
      drift: JSON.stringify(drift),
      verdict: JSON.stringify(verdict),
      credentials: null,
      listing_complete: true,
      staged: false,
      // A submission ends when its publication is committed (steps/package/publish.ts).
      updated_at: row.published_at,
      finished_at: row.published_at,
    },
    documents,
  );
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

export async function insertDataset(
  trx: Trx,
  dataset: Insertable<DatasetTable>,
  versions: readonly Insertable<DatasetVersionTable>[],
): Promise<void> {
  await trx.insertInto("dataset").values(dataset).execute();
  await trx
    .insertInto("dataset_version")
    .values([...versions])
    .execute();
}
