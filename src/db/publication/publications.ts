import type { Insertable, Selectable } from "kysely";
import type { DatedPublication } from "../../domain/publication/dates.ts";
import type { PublicationState } from "../../domain/publication/states.ts";
import { followPublication } from "../catalogue/entries.ts";
import type { Queries } from "../database.ts";
import type { Trx } from "../submissions/submissions.ts";
import type { PublicationEntryTable, PublicationRecordTable, PublicationTable } from "./publication-tables.ts";

export type PublicationRow = Selectable<PublicationTable>;
export type EntryRow = Selectable<PublicationEntryTable>;
export type RecordRow = Selectable<PublicationRecordTable>;

/** The publication of a version that was never requested for publication. */
export function privatePublication(dataset: string, version: number, since: Date): PublicationRow {
  return {
    dataset_id: dataset,
    version,
    state: "private",
    since,
    changes: 0,
    revision: null,
    requested_by: null,
    requested_at: null,
    agreement: null,
    access: "open",
    embargo_date: null,
    opened_on: null,
    access_reason: "",
    publish_on_approval: true,
    assignee: null,
    approved_by: null,
    approved_at: null,
    reviewed_sha512: null,
    announced_at: null,
    published_at: null,
    withdrawn_at: null,
    withdrawn_reason: null,
    identifier: null,
    next_at: null,
    attempts: 0,
    problem: null,
    renewals: 0,
    reminded_at: null,
    reminders: 0,
    embargo_notice: null,
    catalogued: false,
  };
}

/** What decides about the dates of a publication. */
export function datedPublication({
  published_at: publishedAt,
  access,
  embargo_date: embargoDate,
  opened_on: openedOn,
}: Pick<PublicationRow, "published_at" | "access" | "embargo_date" | "opened_on">): DatedPublication {
  return { publishedAt, access, embargoDate, openedOn };
}

/** Undefined if the version was never requested for publication. */
export async function findPublication(
  db: Queries,
  dataset: string,
  version: number,
): Promise<PublicationRow | undefined> {
  return db
    .selectFrom("publication")
    .selectAll()
    .where("dataset_id", "=", dataset)
    .where("version", "=", version)
    .executeTakeFirst();
}

/** The publications of all versions of a dataset, newest version first. */
export async function publicationsOf(db: Queries, dataset: string): Promise<PublicationRow[]> {
  return db
    .selectFrom("publication")
    .selectAll()
    .where("dataset_id", "=", dataset)
    .orderBy("version", "desc")
    .execute();
}

/** Stores a changed publication. The caller holds the lock of the dataset. @returns the row with its new number of changes */
export async function savePublication(trx: Trx, row: PublicationRow): Promise<PublicationRow> {
  const changed = { ...row, changes: row.changes + 1, catalogued: false };
  const values: Insertable<PublicationTable> = {
    ...changed,
    agreement: jsonOf(row.agreement),
    problem: jsonOf(row.problem),
  };
  const { dataset_id, version, ...rest } = values;
  await trx
    .insertInto("publication")
    .values(values)
    .onConflict((conflict) => conflict.columns(["dataset_id", "version"]).doUpdateSet(rest))
    .execute();
  await followPublication(trx, changed);
  return changed;
}

/** The publication, locked until the end of the transaction. */
export async function lockPublication(trx: Trx, dataset: string, version: number): Promise<PublicationRow | undefined> {
  return trx
    .selectFrom("publication")
    .selectAll()
    .where("dataset_id", "=", dataset)
    .where("version", "=", version)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/**
 * Records that a DOI may lead to the version from now on.
 * @returns whether that was not recorded before; undefined if the approval of this row does not apply any more
 */
export async function announce(
  db: Queries,
  { dataset_id, version, approved_at }: PublicationRow,
): Promise<boolean | undefined> {
  const announced = await db
    .updateTable("publication")
    .set({ announced_at: new Date() })
    .where("dataset_id", "=", dataset_id)
    .where("version", "=", version)
    .where("state", "=", "registering")
    .where("approved_at", "=", approved_at)
    .where("announced_at", "is", null)
    .executeTakeFirst();
  if (announced.numUpdatedRows === 1n) return true;
  const now = await findPublication(db, dataset_id, version);
  const isSame = now?.state === "registering" && now.approved_at?.getTime() === approved_at?.getTime();
  return isSame ? false : undefined;
}

/** Records that no DOI leads to a version that is being registered, unless it was approved again since. */
export async function unannounce(db: Queries, { dataset_id, version, approved_at }: PublicationRow): Promise<void> {
  await db
    .updateTable("publication")
    .set({ announced_at: null })
    .where("dataset_id", "=", dataset_id)
    .where("version", "=", version)
    .where("state", "=", "registering")
    .where("approved_at", "=", approved_at)
    .execute();
}

/**
 * Records the outcome of an attempt of the service, unless the publication was changed or renewed since the attempt began:
 * then another attempt follows.
 * @param outcome.next_at null if there is nothing left to do
 */
export async function recordAttempt(
  db: Queries,
  { dataset_id, version, changes, renewals }: PublicationRow,
  outcome: Pick<PublicationRow, "next_at" | "attempts" | "problem">,
): Promise<void> {
  await db
    .updateTable("publication")
    .set({ ...outcome, problem: jsonOf(outcome.problem) })
    .where("dataset_id", "=", dataset_id)
    .where("version", "=", version)
    .where("changes", "=", changes)
    .where("renewals", "=", renewals)
    .execute();
}

/**
 * Makes the service compare the published versions of a dataset with their DOIs and records, except one version, and describe
 * them in the catalogue again.
 */
export async function renewPublications(trx: Queries, dataset: string, except?: number): Promise<void> {
  let query = trx
    .updateTable("publication")
    .set((eb) => ({ next_at: new Date(), renewals: eb("renewals", "+", 1), catalogued: false }))
    .where("dataset_id", "=", dataset)
    .where("state", "in", ["published", "withdrawn"]);
  if (except !== undefined) query = query.where("version", "!=", except);
  await query.execute();
}

/** Appends to the history of a publication, which must exist. The caller holds the lock of the dataset. */
export async function addEntry(
  trx: Trx,
  entry: Omit<EntryRow, "no" | "at"> & Partial<Pick<EntryRow, "at">>,
): Promise<number> {
  const last = await trx
    .selectFrom("publication_entry")
    .select("no")
    .where("dataset_id", "=", entry.dataset_id)
    .where("version", "=", entry.version)
    .orderBy("no", "desc")
    .limit(1)
    .executeTakeFirst();
  const no = (last?.no ?? 0) + 1;
  await trx
    .insertInto("publication_entry")
    .values({ at: new Date(), ...entry, no, place: jsonOf(entry.place), data: jsonOf(entry.data) })
    .execute();
  return no;
}

/** The history of a publication, oldest first. */
export async function entriesOf(db: Queries, dataset: string, version: number): Promise<EntryRow[]> {
  return db
    .selectFrom("publication_entry")
    .selectAll()
    .where("dataset_id", "=", dataset)
    .where("version", "=", version)
    .orderBy("no")
    .execute();
}

/** Publications with which the service should continue now, those that are due first at the beginning. */
export async function duePublications(
  db: Queries,
  now: Date,
  limit: number,
): Promise<Pick<PublicationRow, "dataset_id" | "version">[]> {
  return db
    .selectFrom("publication")
    .select(["dataset_id", "version"])
    .where("next_at", "<=", now)
    .orderBy("next_at")
    .limit(limit)
    .execute();
}

/** Number of publications in each state. */
export async function countPublications(db: Queries): Promise<{ state: PublicationState; number: number }[]> {
  const rows = await db
    .selectFrom("publication")
    .select(["state", (eb) => eb.fn.countAll<string>().as("number")])
    .groupBy("state")
    .execute();
  return rows.map(({ state, number }) => ({ state, number: Number(number) }));
}

/** Signed records of a publication, oldest first. */
export async function recordsOf(db: Queries, dataset: string, version: number): Promise<RecordRow[]> {
  return db
    .selectFrom("publication_record")
    .selectAll()
    .where("dataset_id", "=", dataset)
    .where("version", "=", version)
    .orderBy("no")
    .execute();
}

/** Stores a signed record, once for each number. */
export async function addRecord(db: Queries, record: Insertable<PublicationRecordTable>): Promise<void> {
  await db
    .insertInto("publication_record")
    .values(record)
    .onConflict((conflict) => conflict.columns(["dataset_id", "version", "no"]).doNothing())
    .execute();
}

/** Records that the archive has a record. */
export async function markRecordStored(db: Queries, dataset: string, version: number, no: number): Promise<void> {
  await db
    .updateTable("publication_record")
    .set({ stored_at: new Date() })
    .where("dataset_id", "=", dataset)
    .where("version", "=", version)
    .where("no", "=", no)
    .execute();
}

function jsonOf(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}
