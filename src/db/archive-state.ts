import { sql } from "kysely";
import type { Queries } from "./database.ts";

/**
 * State of the database relative to the archive. `unknown`: it was never used with one. `rebuilding`: a rebuild from the
 * archive has started and not finished. `known`: the archive was empty when the database was first used, or the database
 * contains its datasets.
 */
export type ArchiveState = "unknown" | "rebuilding" | "known";

/** The names of the rows, in the table of key fingerprints. */
const ROW = "archive";
const ID_ROW = "archive-id";
const CHANGE_ROW = "archive-change";

export async function archiveState(db: Queries): Promise<ArchiveState> {
  const row = await db.selectFrom("fingerprint").select("value").where("name", "=", ROW).executeTakeFirst();
  if (row !== undefined) return row.value === "rebuilding" ? "rebuilding" : "known";
  // Earlier releases did not record the state.
  return (await hasSubmissions(db)) ? "known" : "unknown";
}

export async function hasSubmissions(db: Queries): Promise<boolean> {
  return (await db.selectFrom("submission").select("id").limit(1).executeTakeFirst()) !== undefined;
}

export async function recordArchiveState(db: Queries, value: Exclude<ArchiveState, "unknown">): Promise<void> {
  await record(db, ROW, value);
}

/**
 * The id of the archive with which the database was used. Undefined if there were no submissions yet, so that any archive
 * may be chosen, and if no release that has such ids has used it.
 */
export async function archiveIdOf(db: Queries): Promise<string | undefined> {
  if (!(await hasSubmissions(db))) return undefined;
  const row = await db.selectFrom("fingerprint").select("value").where("name", "=", ID_ROW).executeTakeFirst();
  return row?.value;
}

export async function recordArchiveId(db: Queries, id: string): Promise<void> {
  await record(db, ID_ROW, id);
}

/**
 * Counts a change of the archive, at once for all processes.
 * @param archived the newest change of the archive, read before this call. Each one is counted before it is made, so a database
 * that knows fewer was replaced by an older one. Its number stays as it is: no start accepts it until a rebuild
 * @returns the number of the change, from 1 on; undefined if the database is older than the archive
 */
export async function countArchiveChange(db: Queries, archived: number): Promise<number | undefined> {
  const next = sql<string>`(fingerprint.value::bigint + 1)::text`;
  const counted =
    archived === 0
      ? await db
          .insertInto("fingerprint")
          .values({ name: CHANGE_ROW, value: "1" })
          .onConflict((conflict) => conflict.column("name").doUpdateSet({ value: next }))
          .returning("value")
          .executeTakeFirstOrThrow()
      : await db
          .updateTable("fingerprint")
          .set({ value: next })
          .where("name", "=", CHANGE_ROW)
          .where(sql<number>`value::bigint`, ">=", archived)
          .returning("value")
          .executeTakeFirst();
  return counted === undefined ? undefined : Number(counted.value);
}

/** The number of the last change of the archive that this database knows; 0 if no release that counts them has used it. */
export async function archiveChangeOf(db: Queries): Promise<number> {
  const row = await db.selectFrom("fingerprint").select("value").where("name", "=", CHANGE_ROW).executeTakeFirst();
  return Number(row?.value ?? 0);
}

/** Records that the database knows all changes of the archive up to this one. */
export async function raiseArchiveChange(db: Queries, number: number): Promise<void> {
  if (number > (await archiveChangeOf(db))) await record(db, CHANGE_ROW, String(number));
}

async function record(db: Queries, name: string, value: string): Promise<void> {
  await db
    .insertInto("fingerprint")
    .values({ name, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}

/** The id of the newest dataset that is published and not withdrawn. */
export async function newestDataset(db: Queries): Promise<string | undefined> {
  const found = await db
    .selectFrom("dataset")
    .innerJoin("dataset_version", "dataset_version.dataset_id", "dataset.id")
    .innerJoin("submission", "submission.id", "dataset_version.submission_id")
    .select("dataset.id")
    .where("dataset.withdrawn_at", "is", null)
    .where("submission.status", "=", "completed")
    .orderBy("dataset.created_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return found?.id;
}
