import { sql } from "kysely";
import { compareKeys } from "../../domain/keys-and-paths/path.ts";
import type { Queries } from "../database.ts";
import { countObjects, readChunkText, writeChunk } from "./chunk-text.ts";
import { type ObjectRecord, placeOfObject } from "./objects.ts";

/** Consecutive objects of the listing that are transferred as one job. */
export interface Chunk {
  no: number;
  firstSeq: number;
  lastSeq: number;
  /** In listing order, and at least one. */
  objects: ObjectRecord[];
}

/** Records chunks of a listing with the current state of their objects. */
export async function insertChunks(
  db: Queries,
  id: string,
  attempt: number,
  chunks: Pick<Chunk, "no" | "objects">[],
): Promise<void> {
  if (chunks.length === 0) return;
  const rows = chunks.map(({ no, objects }) => {
    const { first, last } = rangeOf(objects);
    return {
      submission_id: id,
      attempt,
      no,
      first_seq: objects[0]?.seq ?? 0,
      last_seq: objects.at(-1)?.seq ?? 0,
      first_key: Buffer.from(first),
      last_key: Buffer.from(last),
      ...countObjects(objects),
      objects: writeChunk(objects),
    };
  });
  await db.insertInto("chunk").values(rows).execute();
  for (const { no, objects } of chunks) await recordDisplaced(db, id, attempt, no, objects);
}

function rangeOf(objects: readonly ObjectRecord[]): { first: string; last: string } {
  let first = objects[0]?.key ?? "";
  let last = first;
  for (const { key } of objects) {
    if (compareKeys(key, first) < 0) first = key;
    if (compareKeys(key, last) > 0) last = key;
  }
  return { first, last };
}

/** Records which objects stored in this version have a content path other than `data/` + key. Must be in the same transaction as the objects' record. */
export async function recordDisplaced(
  db: Queries,
  id: string,
  attempt: number,
  no: number,
  objects: readonly ObjectRecord[],
): Promise<void> {
  const paths = objects.flatMap(({ contentPath, verifiedIn }) =>
    contentPath === null || verifiedIn !== null ? [] : [contentPath],
  );
  await recordDisplacedPaths(db, id, attempt, no, paths);
}

/** Records content paths as {@link recordDisplaced} does. */
export async function recordDisplacedPaths(
  db: Queries,
  id: string,
  attempt: number,
  no: number,
  paths: readonly string[],
): Promise<void> {
  if (paths.length === 0) return;
  await sql`
    insert into displaced (submission_id, attempt, content_path, chunk)
    select ${id}::uuid, ${attempt}::integer, path, ${no}::integer from unnest(${paths}::text[]) as path
    on conflict do nothing`.execute(db);
}

/** The stored objects at these content paths, which are not `data/` + key. */
export async function displacedAt(
  db: Queries,
  id: string,
  attempt: number,
  contentPaths: readonly string[],
): Promise<ObjectRecord[]> {
  const { rows } = await sql<{ chunk: number }>`
    select distinct chunk from displaced
    where submission_id = ${id} and attempt = ${attempt} and content_path = any(${contentPaths}::text[])`.execute(db);
  const wanted = new Set(contentPaths);
  const found: ObjectRecord[] = [];
  for (const { chunk } of rows) {
    const objects = (await readChunk(db, id, attempt, chunk))?.objects ?? [];
    found.push(...objects.filter((object) => object.state === "stored" && wanted.has(placeOfObject(object))));
  }
  return found;
}

export async function readChunk(db: Queries, id: string, attempt: number, no: number): Promise<Chunk | undefined> {
  const row = await db
    .selectFrom("chunk")
    .select(["no", "first_seq", "last_seq", "objects"])
    .where((eb) => eb.and({ submission_id: id, attempt, no }))
    .executeTakeFirst();
  return row && chunkOf(row);
}

/** Parses a row with its objects. */
export function chunkOf(row: { no: number; first_seq: number; last_seq: number; objects: string }): Chunk {
  const { no, first_seq: firstSeq, last_seq: lastSeq } = row;
  return { no, firstSeq, lastSeq, objects: readChunkText(row.objects, firstSeq) };
}

/** All chunks in listing order. The next chunk is fetched while the caller processes the current one. */
export async function* everyChunk(db: Queries, id: string, attempt: number): AsyncGenerator<Chunk> {
  const ask = (no: number) => {
    const chunk = readChunk(db, id, attempt, no);
    // The error is thrown where the chunk is awaited; without this handler it would be unhandled if it never is.
    chunk.catch(() => undefined);
    return chunk;
  };
  let ahead = ask(0);
  for (let no = 1; ; no++) {
    const chunk = await ahead;
    if (chunk === undefined) return;
    ahead = ask(no);
    yield chunk;
  }
}

/** All objects in listing order, one chunk at a time. */
export async function* everyObject(db: Queries, id: string, attempt: number): AsyncGenerator<ObjectRecord[]> {
  for await (const { objects } of everyChunk(db, id, attempt)) yield objects;
}

/** The numbers of the first chunks that still have objects to read, in order. */
export async function openChunks(db: Queries, id: string, attempt: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom("chunk")
    .select("no")
    .where((eb) => eb.and({ submission_id: id, attempt }))
    .where("listed", ">", 0)
    .orderBy("no")
    .limit(limit)
    .execute();
  return rows.map(({ no }) => no);
}
