/**
 * Finding objects by their keys. A listing in byte order is its own index: a key lies in the one chunk between whose
 * first and last key it is. The keys of any other listing are kept in a table of their own, from its first page that
 * is out of order on; hence a listing is ordered as long as that table has none of its keys.
 */
import { sql } from "kysely";
import { compareKeys } from "../submission/key-order.ts";
import { type Chunk, chunkOf, everyChunk, readChunk } from "./chunks.ts";
import type { ObjectRecord } from "./objects.ts";
import type { Queries } from "./open.ts";

const AT_ONCE = 1_000;

/**
 * Keeps the keys of chunks of a listing that is out of order; the first time those of all chunks before them too.
 * To be called once the chunks are recorded, in the same transaction.
 *
 * @returns false when the listing names a key for the second time
 */
export async function recordUnordered(
  db: Queries,
  id: string,
  attempt: number,
  chunks: Pick<Chunk, "no" | "objects">[],
): Promise<boolean> {
  const isFirst = !(await isUnordered(db, id, attempt));
  for await (const { no, objects } of isFirst ? everyChunk(db, id, attempt) : chunks) {
    const keys = objects.map(({ key }) => Buffer.from(key));
    const inserted = await sql`
      insert into unordered_key (submission_id, attempt, key, chunk)
      select ${id}::uuid, ${attempt}::integer, key, ${no}::integer from unnest(${keys}::bytea[]) as key
      on conflict do nothing`.execute(db);
    if (Number(inserted.numAffectedRows ?? 0) < keys.length) return false;
  }
  return true;
}

async function isUnordered(db: Queries, id: string, attempt: number): Promise<boolean> {
  return (await ofUnordered(db, id, attempt).select("key").limit(1).executeTakeFirst()) !== undefined;
}

function ofUnordered(db: Queries, id: string, attempt: number) {
  return db.selectFrom("unordered_key").where("submission_id", "=", id).where("attempt", "=", attempt);
}

/** The objects of these keys, in listing order. */
export async function objectsOfKeys(
  db: Queries,
  id: string,
  attempt: number,
  keys: readonly string[],
): Promise<ObjectRecord[]> {
  const wanted = new Set(keys);
  const found: ObjectRecord[] = [];
  for (const no of await chunksOfKeys(db, id, attempt, [...wanted])) {
    const chunk = await readChunk(db, id, attempt, no);
    found.push(...(chunk?.objects ?? []).filter(({ key }) => wanted.has(key)));
  }
  return found;
}

async function chunksOfKeys(db: Queries, id: string, attempt: number, keys: readonly string[]): Promise<number[]> {
  const bytes = keys.map((key) => Buffer.from(key));
  const { rows } = (await isUnordered(db, id, attempt))
    ? await sql<{ no: number }>`
        select distinct chunk as no from unordered_key
        where submission_id = ${id} and attempt = ${attempt} and key = any(${bytes}::bytea[])
        order by no`.execute(db)
    : await sql<{ no: number }>`
        select distinct near.no from unnest(${bytes}::bytea[]) as wanted(key), lateral (
          select no, first_key from chunk
          where submission_id = ${id} and attempt = ${attempt} and last_key >= wanted.key
          order by last_key limit 1
        ) as near
        where near.first_key <= wanted.key
        order by near.no`.execute(db);
  return rows.map(({ no }) => no);
}

/** The objects of an ordered listing whose keys lie in (after, upTo], those of a chunk at a time, in order. */
export async function* objectsBetween(
  db: Queries,
  id: string,
  attempt: number,
  { after, upTo }: { after: string | undefined; upTo: string | undefined },
): AsyncGenerator<ObjectRecord[]> {
  for (let from = Buffer.from(after ?? ""); ; ) {
    const row = await db
      .selectFrom("chunk")
      .select(["no", "first_seq", "last_seq", "last_key", "objects"])
      .where("submission_id", "=", id)
      .where("attempt", "=", attempt)
      .where("last_key", ">", from)
      .orderBy("last_key")
      .limit(1)
      .executeTakeFirst();
    if (row === undefined) return;
    const { objects } = chunkOf(row);
    yield objects.filter(
      ({ key }) =>
        (after === undefined || compareKeys(key, after) > 0) && (upTo === undefined || compareKeys(key, upTo) <= 0),
    );
    from = Buffer.from(row.last_key);
    if (upTo !== undefined && Buffer.compare(from, Buffer.from(upTo)) >= 0) return;
  }
}

/** Of these keys of an unordered listing, those that are folders of others in it. */
export async function foldersAmong(
  db: Queries,
  id: string,
  attempt: number,
  keys: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ key: Uint8Array }>`
    select folder.key from unnest(${keys.map((key) => Buffer.from(key))}::bytea[]) as folder(key)
    where exists (
      select 1 from unordered_key as child
      where child.submission_id = ${id} and child.attempt = ${attempt}
        and child.key >= folder.key || '\\x2f'::bytea and child.key < folder.key || '\\x30'::bytea)`.execute(db);
  return new Set(rows.map(({ key }) => Buffer.from(key).toString("utf8")));
}

/** Marks keys of an unordered listing as met again. */
export async function markRelisted(db: Queries, id: string, attempt: number, keys: readonly string[]): Promise<void> {
  await sql`
    update unordered_key set relisted = true
    where submission_id = ${id} and attempt = ${attempt}
      and key = any(${keys.map((key) => Buffer.from(key))}::bytea[])`.execute(db);
}

/** The objects of an unordered listing that were not met again, a bounded number at a time. */
export async function* neverRelisted(db: Queries, id: string, attempt: number): AsyncGenerator<ObjectRecord[]> {
  for (let after = Buffer.alloc(0); ; ) {
    const rows = await ofUnordered(db, id, attempt)
      .select("key")
      .where("relisted", "=", false)
      .where("key", ">", after)
      .orderBy("key")
      .limit(AT_ONCE)
      .execute();
    const last = rows.at(-1);
    if (last === undefined) return;
    const keys = rows.map(({ key }) => Buffer.from(key).toString("utf8"));
    yield await objectsOfKeys(db, id, attempt, keys);
    after = Buffer.from(last.key);
  }
}
