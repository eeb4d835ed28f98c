import { type Selectable, sql } from "kysely";
import type { Queries } from "./open.ts";
import type { ObjectTable } from "./schema.ts";

export type ObjectRow = Omit<Selectable<ObjectTable>, "key" | "sha512"> & { key: string; sha512: string | null };
export type ObjectState = ObjectRow["state"];

/** An object as the listing gave it, with its place in it. */
export interface ListedRow {
  seq: number;
  key: string;
  bytes: number;
  etag: string | null;
  lastModified: string | null;
  storageClass: string | null;
  odd: boolean;
}

/** What became of reading an object. */
export type Outcome =
  | {
      seq: number;
      state: "stored";
      contentPath: string | null;
      sha512: string;
      verifiedBy: string;
      verifiedWith: string;
      suspect: boolean;
      came: object;
    }
  | { seq: number; state: "failed"; error: { code: string; message: string } };

const bytesOf = (key: string) => Buffer.from(key, "utf8");

/** A row with its bytes read as what they are. */
export function toObject(row: Selectable<ObjectTable>): ObjectRow {
  return {
    ...row,
    key: Buffer.from(row.key).toString("utf8"),
    sha512: row.sha512 === null ? null : Buffer.from(row.sha512).toString("hex"),
  };
}

/** Records a page of the listing. Returns how many were new: fewer than given means that the listing repeats. */
export async function insertListed(db: Queries, id: string, attempt: number, rows: ListedRow[]): Promise<number> {
  if (rows.length === 0) return 0;
  const result = await sql`
    insert into object (submission_id, attempt, seq, key, bytes, etag, last_modified, storage_class, odd)
    select ${id}::uuid, ${attempt}::integer, * from unnest(
      ${rows.map((row) => row.seq)}::bigint[], ${rows.map((row) => bytesOf(row.key))}::bytea[],
      ${rows.map((row) => row.bytes)}::bigint[], ${rows.map((row) => row.etag)}::text[],
      ${rows.map((row) => row.lastModified)}::text[], ${rows.map((row) => row.storageClass)}::text[],
      ${rows.map((row) => row.odd)}::boolean[])
    on conflict do nothing`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}

/** Marks those of the keys that are objects as folders of others; their paths are then not their keys. */
export async function markFolders(db: Queries, id: string, attempt: number, folders: string[]): Promise<void> {
  if (folders.length === 0) return;
  await sql`
    update object set odd = true
    where submission_id = ${id} and attempt = ${attempt} and key = any(${folders.map(bytesOf)}::bytea[]) and not odd`.execute(
    db,
  );
}

/** The same for a listing that was not in byte order, looked at as a whole in slices of `seq`. */
export async function markFoldersBetween(
  db: Queries,
  id: string,
  attempt: number,
  from: number,
  to: number,
): Promise<void> {
  await sql`
    update object as folder set odd = true
    where submission_id = ${id} and attempt = ${attempt} and seq >= ${from} and seq < ${to} and not odd
      and exists (select 1 from object as child
        where child.submission_id = ${id} and child.attempt = ${attempt}
          and child.key > folder.key || '\\x2f'::bytea and child.key < folder.key || '\\x30'::bytea)`.execute(db);
}

export interface ObjectFilter {
  state?: ObjectState | undefined;
  odd?: true | undefined;
  /** Objects after this place in the listing; -1 for all. */
  after: number;
  /** Objects up to and with this place. */
  to?: number | undefined;
  limit: number;
}

/** Objects in listing order. */
export async function objectsAfter(
  db: Queries,
  id: string,
  attempt: number,
  filter: ObjectFilter,
): Promise<ObjectRow[]> {
  let query = db
    .selectFrom("object")
    .selectAll()
    .where("submission_id", "=", id)
    .where("attempt", "=", attempt)
    .where("seq", ">", filter.after);
  if (filter.to !== undefined) query = query.where("seq", "<=", filter.to);
  if (filter.state !== undefined) query = query.where("state", "=", filter.state);
  if (filter.odd) query = query.where("odd", "=", true);
  return (await query.orderBy("seq").limit(filter.limit).execute()).map(toObject);
}

/** All objects in listing order, read in pages as they are wanted. */
export async function* everyObject(
  db: Queries,
  id: string,
  attempt: number,
  filter: Omit<ObjectFilter, "after" | "limit"> = {},
): AsyncGenerator<ObjectRow[]> {
  for (let after = -1; ; ) {
    const page = await objectsAfter(db, id, attempt, { ...filter, after, limit: 1000 });
    if (page.length === 0) return;
    yield page;
    after = page.at(-1)?.seq ?? after;
  }
}

/** Objects whose key lies in (after, upTo], in key order; without `upTo` all after. */
export async function objectsByKey(
  db: Queries,
  id: string,
  attempt: number,
  range: { after: string | undefined; upTo: string | undefined; limit: number },
): Promise<ObjectRow[]> {
  let query = db.selectFrom("object").selectAll().where("submission_id", "=", id).where("attempt", "=", attempt);
  if (range.after !== undefined) query = query.where("key", ">", bytesOf(range.after));
  if (range.upTo !== undefined) query = query.where("key", "<=", bytesOf(range.upTo));
  return (await query.orderBy("key").limit(range.limit).execute()).map(toObject);
}

/** The objects of these keys. */
export async function objectsOfKeys(
  db: Queries,
  id: string,
  attempt: number,
  keys: readonly string[],
): Promise<ObjectRow[]> {
  const rows = await db
    .selectFrom("object")
    .selectAll()
    .where("submission_id", "=", id)
    .where("attempt", "=", attempt)
    .where(sql<boolean>`key = any(${keys.map(bytesOf)}::bytea[])`)
    .execute();
  return rows.map(toObject);
}

/**
 * Of these content paths, those at which a stored object lies, with its bytes. `key` is the key that a path would
 * naturally be of.
 */
export async function placedAt(
  db: Queries,
  id: string,
  attempt: number,
  places: { contentPath: string; key: string | undefined }[],
): Promise<Map<string, number>> {
  const paths = places.map(({ contentPath }) => contentPath);
  const keys = places.flatMap(({ key }) => (key === undefined ? [] : [key]));
  const rows = await db
    .selectFrom("object")
    .select(["key", "content_path", "bytes"])
    .where("submission_id", "=", id)
    .where("attempt", "=", attempt)
    .where("state", "=", "stored")
    .where(
      sql<boolean>`(content_path = any(${paths}::text[]) or (content_path is null and key = any(${keys.map(bytesOf)}::bytea[])))`,
    )
    .execute();
  return new Map(
    rows.map((row) => [row.content_path ?? `data/${Buffer.from(row.key).toString("utf8")}`, row.bytes] as const),
  );
}

/** Gives odd objects their paths. */
export async function assignPaths(
  db: Queries,
  id: string,
  attempt: number,
  paths: { seq: number; path: string }[],
): Promise<void> {
  await sql`
    update object set path = assigned.path
    from unnest(${paths.map((one) => one.seq)}::bigint[], ${paths.map((one) => one.path)}::text[]) as assigned(seq, path)
    where submission_id = ${id} and attempt = ${attempt} and object.seq = assigned.seq`.execute(db);
}

/** Counts a read that came to nothing. */
export async function countRead(db: Queries, id: string, attempt: number, seq: number): Promise<void> {
  await db
    .updateTable("object")
    .set((eb) => ({ attempts: eb("attempts", "+", 1) }))
    .where("submission_id", "=", id)
    .where("attempt", "=", attempt)
    .where("seq", "=", seq)
    .execute();
}

/**
 * Records outcomes; only of objects that were still to be read. Returns what was really recorded; suspects do not count
 * as stored before they are judged, so that progress never goes back.
 */
export async function recordOutcomes(
  db: Queries,
  id: string,
  attempt: number,
  outcomes: Outcome[],
): Promise<{ stored: number; bytes: number; failed: number }> {
  const column = <T>(pick: (outcome: Outcome) => T) => outcomes.map(pick);
  const stored = <T>(pick: (outcome: Extract<Outcome, { state: "stored" }>) => T) =>
    column((outcome) => (outcome.state === "stored" ? pick(outcome) : null));
  const { rows } = await sql<{ state: string; bytes: number; suspect: boolean }>`
    update object set state = done.state, content_path = done.content_path, sha512 = decode(done.sha512, 'hex'),
      verified_by = done.verified_by, verified_with = done.verified_with, suspect = coalesce(done.suspect, false),
      came = done.came::jsonb, error = done.error::jsonb, attempts = attempts + 1
    from unnest(
      ${column((one) => one.seq)}::bigint[], ${column((one) => one.state)}::text[],
      ${stored((one) => one.contentPath)}::text[], ${stored((one) => one.sha512)}::text[],
      ${stored((one) => one.verifiedBy)}::text[], ${stored((one) => one.verifiedWith)}::text[],
      ${stored((one) => one.suspect)}::boolean[], ${stored((one) => JSON.stringify(one.came))}::text[],
      ${column((one) => (one.state === "failed" ? JSON.stringify(one.error) : null))}::text[]
    ) as done(seq, state, content_path, sha512, verified_by, verified_with, suspect, came, error)
    where submission_id = ${id} and attempt = ${attempt} and object.seq = done.seq and object.state = 'listed'
    returning object.state, object.bytes, object.suspect`.execute(db);
  const kept = rows.filter((row) => row.state === "stored" && !row.suspect);
  return {
    stored: kept.length,
    bytes: kept.reduce((sum, row) => sum + row.bytes, 0),
    failed: rows.filter((row) => row.state === "failed").length,
  };
}

/** What a slice of the listing holds, by state. */
export async function countBetween(
  db: Queries,
  id: string,
  attempt: number,
  from: number,
  to: number,
): Promise<{ objects: number; stored: number; excluded: number; bytesStored: number }> {
  const { rows } = await sql<{ objects: number; stored: number; excluded: number; bytes: number }>`
    select count(*) as objects, count(*) filter (where state = 'stored' and sha512 is not null) as stored,
      count(*) filter (where state = 'excluded') as excluded,
      coalesce(sum(bytes) filter (where state = 'stored'), 0)::bigint as bytes
    from object
    where submission_id = ${id} and attempt = ${attempt} and seq >= ${from} and seq < ${to}`.execute(db);
  const row = rows[0];
  return {
    objects: row?.objects ?? 0,
    stored: row?.stored ?? 0,
    excluded: row?.excluded ?? 0,
    bytesStored: row?.bytes ?? 0,
  };
}
