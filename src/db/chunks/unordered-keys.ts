/**
 * Finds objects by key. A listing in byte order needs no index: a key is in the chunk between whose first and last key it
 * is. The keys of any other listing are recorded in a separate table, starting with the first page that is out of order.
 * A listing therefore counts as ordered as long as that table contains none of its keys.
 */
import { sql } from "kysely";
import { compareKeys } from "../../domain/keys-and-paths/path.ts";
import type { Queries } from "../database.ts";
import { type Chunk, chunkOf, everyChunk, readChunk } from "./chunks.ts";
import type { ObjectRecord } from "./objects.ts";

const AT_ONCE = 1_000;

/**
 * Records the keys of chunks of an unordered listing; the first time also the keys of all earlier chunks. Must be called
 * after the chunks are recorded, in the same transaction.
 *
 * @returns false if the listing contains a key for the second time
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

/** The objects with these keys. Each chunk is read once. */
export async function objectsOfKeys(
  db: Queries,
  id: string,
  attempt: number,
  keys: readonly string[],
): Promise<ObjectRecord[]> {
  const wanted = new Set(keys);
  const chunks = (await isUnordered(db, id, attempt))
    ? chunksOfUnordered(db, id, attempt, wanted)
    : chunksAround(db, id, attempt, wanted);
  const found: ObjectRecord[] = [];
  for await (const { objects } of chunks) found.push(...objects.filter(({ key }) => wanted.has(key)));
  return found;
}

async function* chunksOfUnordered(
  db: Queries,
  id: string,
  attempt: number,
  keys: ReadonlySet<string>,
): AsyncGenerator<Chunk> {
  const rows = await ofUnordered(db, id, attempt)
    .select("chunk")
    .distinct()
    .where(sql<boolean>`key = any(${[...keys].map((key) => Buffer.from(key))}::bytea[])`)
    .orderBy("chunk")
    .execute();
  for (const { chunk: no } of rows) {
    const chunk = await readChunk(db, id, attempt, no);
    if (chunk !== undefined) yield chunk;
  }
}

/** The chunks of an ordered listing that may contain these keys. */
async function* chunksAround(
  db: Queries,
  id: string,
  attempt: number,
  keys: ReadonlySet<string>,
): AsyncGenerator<Chunk> {
  let lastKey: string | undefined;
  for (const key of [...keys].sort(compareKeys)) {
    if (lastKey !== undefined && compareKeys(key, lastKey) <= 0) continue;
    const next = await chunkFrom(db, id, attempt, ">=", key);
    if (next === undefined) return;
    lastKey = next.lastKey;
    yield next;
  }
}

/** The first chunk of an ordered listing whose last key is this key or greater. */
async function chunkFrom(
  db: Queries,
  id: string,
  attempt: number,
  ends: ">" | ">=",
  key: string,
): Promise<(Chunk & { lastKey: string }) | undefined> {
  const row = await db
    .selectFrom("chunk")
    .select(["no", "first_seq", "last_seq", "last_key", "objects"])
    .where((eb) => eb.and({ submission_id: id, attempt }))
    .where("last_key", ends, Buffer.from(key))
    .orderBy("last_key")
    .limit(1)
    .executeTakeFirst();
  return row && { ...chunkOf(row), lastKey: textOf(row.last_key) };
}

/** Reads an ordered listing after a key, in order. Each chunk is read once, while the caller processes the one before it. */
export class OrderedListing {
  readonly #read: (from: string) => Promise<(Chunk & { lastKey: string }) | undefined>;
  readonly #after: string;
  /** The last key of the current chunk. */
  #from: string;
  /** The chunk after the current one. */
  #ahead: Promise<(Chunk & { lastKey: string }) | undefined> | undefined;
  /** The objects of the current chunk that were not returned yet. */
  #rest: ObjectRecord[] = [];

  constructor(db: Queries, id: string, attempt: number, after = "") {
    this.#read = (from) => chunkFrom(db, id, attempt, ">", from);
    this.#after = after;
    this.#from = after;
  }

  /** The following objects up to this key, or to the end; one chunk at a time. */
  async *upTo(last: string | undefined): AsyncGenerator<ObjectRecord[]> {
    for (;;) {
      const rest = this.#rest;
      const lastOfRest = rest.at(-1);
      const isAll = lastOfRest !== undefined && (last === undefined || compareKeys(lastOfRest.key, last) <= 0);
      const end = isAll || last === undefined ? rest.length : rest.findIndex(({ key }) => compareKeys(key, last) > 0);
      this.#rest = rest.slice(end);
      if (end > 0) yield rest.slice(0, end);
      if (this.#rest.length > 0 || (last !== undefined && compareKeys(this.#from, last) >= 0)) return;
      const chunk = await (this.#ahead ?? this.#read(this.#from));
      if (chunk === undefined) return;
      const isFirst = this.#from === this.#after;
      this.#from = chunk.lastKey;
      this.#ahead = this.#read(this.#from);
      // The error is thrown where the chunk is awaited, if it is.
      this.#ahead.catch(() => undefined);
      this.#rest = isFirst ? chunk.objects.filter(({ key }) => compareKeys(key, this.#after) > 0) : chunk.objects;
    }
  }
}

/** Returns which of these keys of an unordered listing are folders of other keys in it. */
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
  return new Set(rows.map(({ key }) => textOf(key)));
}

/** Marks keys of an unordered listing as listed again. */
export async function markRelisted(db: Queries, id: string, attempt: number, keys: readonly string[]): Promise<void> {
  await sql`
    update unordered_key set relisted = true
    where submission_id = ${id} and attempt = ${attempt}
      and key = any(${keys.map((key) => Buffer.from(key))}::bytea[])`.execute(db);
}

/** The objects of an unordered listing that were not listed again, a bounded number at a time. */
export async function* neverRelisted(db: Queries, id: string, attempt: number): AsyncGenerator<ObjectRecord[]> {
  for (let after = ""; ; ) {
    const rows = await ofUnordered(db, id, attempt)
      .select("key")
      .where("relisted", "=", false)
      .where("key", ">", Buffer.from(after))
      .orderBy("key")
      .limit(AT_ONCE)
      .execute();
    const keys = rows.map(({ key }) => textOf(key));
    const last = keys.at(-1);
    if (last === undefined) return;
    yield await objectsOfKeys(db, id, attempt, keys);
    after = last;
  }
}

function textOf(key: Uint8Array): string {
  return Buffer.from(key).toString("utf8");
}
