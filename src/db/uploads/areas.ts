import { type Selectable, sql } from "kysely";
import type { SealedAddress } from "../../domain/sealed-address.ts";
import type { Queries } from "../database.ts";
import { removeUnsentNotices } from "../notifications/mails.ts";
import type { Trx } from "../submissions/submissions.ts";
import type { UploadAreaTable } from "../tables/upload-tables.ts";

export type AreaRow = Selectable<UploadAreaTable>;

/** A new area. */
interface NewArea {
  id: string;
  owner: string;
  /** The number of areas that an owner may have which were not submitted. */
  most: number;
  /** The address that is told before it expires. */
  sealed: SealedAddress | undefined;
}

/** Adds an empty area. @returns undefined if the owner has too many */
export async function insertArea(db: Queries, area: NewArea): Promise<AreaRow | undefined> {
  return db.transaction().execute((trx) => insertAreaIn(trx, area));
}

/** The same in a transaction, which has locked no area. */
export async function insertAreaIn(trx: Trx, { id, owner, most, sealed }: NewArea): Promise<AreaRow | undefined> {
  // Concurrent requests of an owner are counted one after the other.
  await sql`select pg_advisory_xact_lock(hashtextextended(${owner}, 4))`.execute(trx);
  const { rows } = await sql<AreaRow>`
    insert into upload_area (id, owner, created_at, used_at, address, fingerprint)
    select ${id}, ${owner}, now(), now(), ${sealed?.address ?? null}::bytea, ${sealed?.fingerprint ?? null}::text
    where (select count(*) from upload_area where owner = ${owner} and submission_id is null and removed_at is null) < ${most}
    returning *`.execute(trx);
  return rows[0];
}

/**
 * Sets the address that is told before an area expires. If the notice was due, and was not sent because none was known or the mail server
 * did not accept it, it is given now.
 * @param options.isReplacing whether it replaces another one
 */
export async function setAreaAddress(
  db: Queries,
  id: string,
  sealed: SealedAddress,
  { isReplacing }: { isReplacing: boolean },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const area = await lockArea(trx, id);
    if (area === undefined || (area.address !== null && !isReplacing)) return;
    const isUntold = area.address === null || (await removeUnsentNotices(trx, id));
    await trx
      .updateTable("upload_area")
      .set({ ...sealed, ...(isUntold && { warned_at: null }) })
      .where("id", "=", id)
      .execute();
  });
}

export async function findArea(db: Queries, id: string): Promise<AreaRow | undefined> {
  return db
    .selectFrom("upload_area")
    .selectAll()
    .where("id", "=", id)
    .where("removed_at", "is", null)
    .executeTakeFirst();
}

/** The areas of an owner to which files can be added, newest first. */
export async function openAreasOf(db: Queries, owner: string): Promise<AreaRow[]> {
  return db
    .selectFrom("upload_area")
    .selectAll()
    .where("owner", "=", owner)
    .where("submission_id", "is", null)
    .where("removed_at", "is", null)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .execute();
}

/**
 * Locks an area until the end of the transaction; undefined if it does not exist. Whatever changes an area or its files does this
 * before it locks anything else: area, then submission, then the quota of the owner (see checkQuota), so that no two wait for each
 * other. No transaction locks two areas of one owner and the quota.
 */
export async function lockArea(trx: Trx, id: string): Promise<AreaRow | undefined> {
  return trx
    .selectFrom("upload_area")
    .selectAll()
    .where("id", "=", id)
    .where("removed_at", "is", null)
    .forUpdate()
    .executeTakeFirst();
}

/** Makes an area, which the caller has locked, the source of a submission: no more files can be added. */
export async function submitArea(trx: Trx, id: string, submission: string): Promise<void> {
  await trx
    .updateTable("upload_area")
    .set({ submission_id: submission, warned_at: null })
    .where("id", "=", id)
    .execute();
}

/** Locks the area of a submission, if it has one. */
export async function lockAreaOf(trx: Trx, submission: string): Promise<void> {
  await trx.selectFrom("upload_area").select("id").where("submission_id", "=", submission).forUpdate().execute();
}

/** Returns the area of a cancelled submission to its owner. */
export async function releaseArea(trx: Trx, submission: string): Promise<void> {
  await trx
    .updateTable("upload_area")
    .set({ submission_id: null, used_at: new Date(), warned_at: null })
    .where("submission_id", "=", submission)
    .execute();
}

/** Begins the removal of an area, which the caller has locked. */
export async function markRemoved(trx: Trx, id: string): Promise<void> {
  await trx.updateTable("upload_area").set({ removed_at: new Date() }).where("id", "=", id).execute();
}

/** Deletes what the database knows of an area, after the bytes were removed. */
export async function deleteArea(db: Queries, id: string): Promise<void> {
  await db.deleteFrom("upload_area").where("id", "=", id).execute();
}

/**
 * Begins the removal of unneeded areas: those that were last used, and whose owners were told, before these times, and those of
 * submissions that have ended for good. @returns all areas whose removal has begun
 */
export async function markUnneeded(db: Queries, since: { used: Date; warned: Date }): Promise<AreaRow[]> {
  await sql`update upload_area set removed_at = now() where removed_at is null and (
    (submission_id is null and used_at < ${since.used} and warned_at < ${since.warned})
    or exists (select 1 from submission where submission.id = submission_id and not staged
      and status in ('completed', 'failed', 'cancelled')))`.execute(db);
  return db.selectFrom("upload_area").selectAll().where("removed_at", "is not", null).execute();
}

/** Those of these ids that are areas, also such whose removal has begun. */
export async function areasAmong(db: Queries, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db.selectFrom("upload_area").select("id").where(sql<boolean>`id = any(${ids}::uuid[])`).execute();
  return new Set(rows.map(({ id }) => id));
}

/**
 * Notes the folders that belong to no area, and forgets those that are not among them any more.
 * @returns those that are seen for the first time, and those that were first seen before a time
 */
export async function noteUnknown(
  db: Queries,
  ids: readonly string[],
  since: Date,
): Promise<{ first: string[]; old: string[] }> {
  return db.transaction().execute(async (trx) => {
    await sql`delete from unknown_upload where id <> all(${ids}::uuid[])`.execute(trx);
    const first = await sql<{ id: string }>`insert into unknown_upload (id, seen_at)
      select id, now() from unnest(${ids}::uuid[]) as id on conflict do nothing returning id`.execute(trx);
    const old = await trx.selectFrom("unknown_upload").select("id").where("seen_at", "<", since).execute();
    return { first: first.rows.map(({ id }) => id), old: old.map(({ id }) => id) };
  });
}
