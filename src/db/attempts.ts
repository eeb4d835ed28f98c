import { sql } from "kysely";
import type { Queries } from "./open.ts";

/**
 * Takes over what an earlier attempt stored, where key, size and ETag are the same. An object without an ETag is not
 * taken over, because nothing says that it is unchanged. Returns how many objects and bytes that were.
 */
export async function carryOver(
  db: Queries,
  id: string,
  attempt: number,
  fromSeq: number,
  toSeq: number,
): Promise<{ objects: number; bytes: number }> {
  const result = await sql<{ bytes: number }>`
    update object as now set state = 'stored', content_path = before.content_path, sha512 = before.sha512,
      verified_by = before.verified_by, verified_with = before.verified_with, suspect = before.suspect,
      came = before.came, attempts = before.attempts
    from object as before
    where now.submission_id = ${id} and now.attempt = ${attempt} and now.seq >= ${fromSeq} and now.seq <= ${toSeq}
      and before.submission_id = ${id} and before.attempt = ${attempt - 1} and before.key = now.key
      and before.state = 'stored' and not before.suspect and before.bytes = now.bytes and before.etag = now.etag
    returning now.bytes`.execute(db);
  // Each has now been taken over or is void: what this attempt places may lie where the old one lay.
  await sql`
    delete from object as before using object as now
    where now.submission_id = ${id} and now.attempt = ${attempt} and now.seq >= ${fromSeq} and now.seq <= ${toSeq}
      and before.submission_id = ${id} and before.attempt = ${attempt - 1} and before.key = now.key`.execute(db);
  return { objects: result.rows.length, bytes: result.rows.reduce((sum, row) => sum + row.bytes, 0) };
}

/**
 * Prepares attempt `next`: of the attempts before it only what they stored is kept, and all of it under the number
 * `next - 1`, from where {@link carryOver} takes it. What moves there gets places below those already taken.
 */
export async function keepStoredFor(db: Queries, id: string, next: number): Promise<void> {
  const last = next - 1;
  await sql`
    delete from object where submission_id = ${id} and attempt <= ${last} and state <> 'stored'`.execute(db);
  await sql`
    update object set attempt = ${last}, seq = moving.lowest - moving.number
    from (
      select old.attempt, old.seq, row_number() over (order by old.attempt desc, old.seq) as number,
        (select least(coalesce(min(seq), 0), 0) from object
          where submission_id = ${id} and attempt = ${last}) as lowest
      from object as old
      where old.submission_id = ${id} and old.attempt < ${last} and not exists (
        select 1 from object as newer
        where newer.submission_id = ${id} and newer.attempt = ${last} and newer.key = old.key)
    ) as moving
    where object.submission_id = ${id} and object.attempt = moving.attempt and object.seq = moving.seq`.execute(db);
  await sql`delete from object where submission_id = ${id} and attempt < ${last}`.execute(db);
  await db.deleteFrom("chunk").where("submission_id", "=", id).execute();
}

/** Drops what earlier attempts left behind. */
export async function dropBefore(db: Queries, id: string, attempt: number): Promise<void> {
  await db.deleteFrom("object").where("submission_id", "=", id).where("attempt", "<", attempt).execute();
  await db.deleteFrom("chunk").where("submission_id", "=", id).where("attempt", "<", attempt).execute();
}
