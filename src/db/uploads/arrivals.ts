import { sql } from "kysely";
import type { Queries } from "../database.ts";
import type { Trx } from "../submissions/submissions.ts";

/**
 * Requests that send files of titled uploads (see migration 0052). Their client takes every answer for a success, and states neither the
 * number of files nor, before the bytes, the title. A request has therefore a row for its owner from before its body is read until its
 * file is recorded. All that ends otherwise, also with the process, leaves the row: a file is missing.
 */

/** Seconds after the last renewal until a process counts as ended. */
const ALIVE_SECONDS = 30;
/** Failures that are remembered of an owner. Any of them prevents a submission. */
const MOST_FAILURES = 1_000;

const ALIVE_UNTIL = sql<Date>`now() + ${sql.lit(ALIVE_SECONDS)} * interval '1 second'`;

/** A file that has not arrived. */
export interface MissingFile {
  /** Name or path; null if it is not known. */
  name: string | null;
  /** Code of a problem; `interrupted` if the connection or the process ended. */
  code: string;
}

export async function beginArrival(db: Queries, { id, owner }: { id: string; owner: string }): Promise<void> {
  await db
    .insertInto("upload_arrival")
    .values({ id, owner, began_at: sql<Date>`now()`, alive_until: ALIVE_UNTIL })
    .execute();
}

/** States that these requests are still received. Call it every few seconds. */
export async function renewArrivals(db: Queries, ids: readonly string[]): Promise<void> {
  await db
    .updateTable("upload_arrival")
    .set({ alive_until: ALIVE_UNTIL })
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();
}

export async function nameArrival(db: Queries, id: string, name: string): Promise<void> {
  await db.updateTable("upload_arrival").set({ name }).where("id", "=", id).execute();
}

/** Ends a request in the transaction that records its file. */
export async function endArrival(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom("upload_arrival").where("id", "=", id).execute();
}

/** Remembers that the file of a request has not arrived. No effect if it was recorded. */
export async function failArrival(db: Queries, id: string, missing: MissingFile): Promise<void> {
  const failures = sql`select count(*) from upload_arrival other where other.owner = upload_arrival.owner and code is not null`;
  await sql`delete from upload_arrival where id = ${id} and (${failures}) >= ${MOST_FAILURES}`.execute(db);
  await db.updateTable("upload_arrival").set(missing).where("id", "=", id).execute();
}

/** Whether files of an owner are arriving. */
export async function areArriving(db: Queries, owner: string): Promise<boolean> {
  const row = await db
    .selectFrom("upload_arrival")
    .select("id")
    .where((eb) => eb.and({ owner }))
    .where("code", "is", null)
    .where("alive_until", ">=", sql<Date>`now()`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the files of an owner that have not arrived, and forgets them: the owner is told. */
export async function takeMissing(db: Queries, owner: string): Promise<MissingFile[]> {
  const rows = await db
    .deleteFrom("upload_arrival")
    .where((eb) => eb.and({ owner }))
    .where((eb) => eb.or([eb("code", "is not", null), eb("alive_until", "<", sql<Date>`now()`)]))
    .returning(["name", "code"])
    .execute();
  return rows
    .map(({ name, code }) => ({ name, code: code ?? "interrupted" }))
    .sort((a, b) => ((a.name ?? "") < (b.name ?? "") ? -1 : 1));
}

/** Forgets the files that have not arrived of owners without an upload that can be submitted. */
export async function forgetMissing(db: Queries): Promise<void> {
  await sql`delete from upload_arrival where began_at < now() - interval '1 day' and alive_until < now() - interval '1 day'
    and not exists (select from upload_area where upload_area.owner = upload_arrival.owner
      and submission_id is null and removed_at is null)`.execute(db);
}
