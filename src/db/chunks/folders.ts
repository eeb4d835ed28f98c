import { sql } from "kysely";
import { type CountedFolder, FolderCounts } from "../../domain/keys-and-paths/folder-counts.ts";
import type { Queries } from "../database.ts";
import { BETWEEN, readObject } from "./chunk-text.ts";
import { everyChunk } from "./chunks.ts";
import { type ChunkText, containsAll, directlyIn, storedIn, withWords } from "./lines.ts";
import { type ObjectRecord, pathOfObject } from "./objects.ts";

/** The folder of all objects. Paths of folders are below it, and have a slash at the end. */
const PAYLOAD = "data/";
const AT_ONCE = 1_000;

/**
 * Records the folders of an archived version, unless they are recorded already. It reads all objects, once in the life of the
 * database. Several processes can do it at the same time. If there are too many folders, or their paths are too long
 * together, only the folder of all files is recorded, without files.
 */
export async function recordFolders(db: Queries, id: string, attempt: number): Promise<void> {
  if ((await findFolder(db, id, attempt, "")) !== undefined) return;
  const folders = await countedFolders(db, id, attempt);
  // Without a transaction, which would block all other queries of the embedded database. The last row completes the record.
  for (let at = 0; at < folders.length; at += AT_ONCE) {
    const rows = folders.slice(at, at + AT_ONCE).map((folder) => ({ submission_id: id, attempt, ...folder }));
    await db
      .insertInto("folder")
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

async function countedFolders(db: Queries, id: string, attempt: number): Promise<CountedFolder[]> {
  const counts = new FolderCounts();
  for await (const { no, objects } of everyChunk(db, id, attempt)) {
    for (const object of objects) {
      if (object.state !== "stored") continue;
      const place = { chunk: no, position: object.seq };
      const path = pathOfObject(object).slice(PAYLOAD.length);
      if (!counts.add(path, object.bytes, place)) return new FolderCounts().result();
    }
  }
  return counts.result();
}

/** Returns a recorded folder; undefined if there is none. @param path empty for the folder of all files */
export async function findFolder(
  db: Queries,
  id: string,
  attempt: number,
  path: string,
): Promise<CountedFolder | undefined> {
  // PostgreSQL has no text with NUL, and no path contains it.
  if (path.includes("\0")) return undefined;
  const name = path.split("/").at(-2) ?? "";
  const parent = path.slice(0, Math.max(0, path.length - name.length - 1));
  return db
    .selectFrom("folder")
    .select(["parent", "name", "files", "bytes", "chunks", "readme"])
    .where((eb) => eb.and({ submission_id: id, attempt, parent, name }))
    .executeTakeFirst();
}

/** Up to `limit` recorded folders in a folder, by name. @param from the least name */
export async function foldersIn(
  db: Queries,
  id: string,
  attempt: number,
  { path, from, limit }: { path: string; from: string; limit: number },
): Promise<Pick<CountedFolder, "name" | "files" | "bytes">[]> {
  return db
    .selectFrom("folder")
    .select(["name", "files", "bytes"])
    .where((eb) => eb.and({ submission_id: id, attempt, parent: path }))
    .where("name", ">", "")
    .where("name", ">=", from.replaceAll("\0", ""))
    .orderBy("name")
    .limit(limit)
    .execute();
}

/** Up to `limit` stored objects in a folder itself, in listing order. Other chunks than its own are not read. */
export async function filesIn(
  db: Queries,
  id: string,
  attempt: number,
  { path, chunks, after, limit }: { path: string; chunks: readonly number[]; after: number; limit: number },
): Promise<ObjectRecord[]> {
  const wanted = { ...directlyIn(path), after };
  const found: ObjectRecord[] = [];
  for await (const chunk of ownChunks(db, id, attempt, chunks, after)) {
    for (const object of storedIn(chunk, wanted)) {
      if (isDirectly(object, path)) found.push(object);
      if (found.length === limit) return found;
    }
  }
  return found;
}

/**
 * Up to `limit` stored objects whose paths below `data/` contain each of the words, regardless of case, in listing order. It reads
 * all chunks until it has found them, or the search is over.
 */
export async function filesWith(
  db: Queries,
  id: string,
  attempt: number,
  search: { words: readonly string[]; after: number; limit: number; isOver: () => boolean },
): Promise<ObjectRecord[]> {
  const { words, after, limit, isOver } = search;
  const wanted = { ...withWords(words), after };
  const hasWords = containsAll(words);
  const found: ObjectRecord[] = [];
  for await (const chunk of chunksAfter(db, id, attempt, after)) {
    for (const object of storedIn(chunk, wanted)) {
      if (hasWords(pathOfObject(object).slice(PAYLOAD.length))) found.push(object);
      if (found.length === limit) return found;
    }
    if (isOver()) break;
  }
  return found;
}

/** The object with a sequence number. */
export async function objectAt(
  db: Queries,
  id: string,
  attempt: number,
  seq: number,
): Promise<ObjectRecord | undefined> {
  const { rows } = await sql<{ line: string }>`
    select split_part(substr(objects, 2, length(objects) - 2), ${BETWEEN}, (${seq} - first_seq + 1)::integer) as line
    from chunk where submission_id = ${id} and attempt = ${attempt} and last_seq >= ${seq}
    order by last_seq limit 1`.execute(db);
  return rows[0] && readObject(rows[0].line, seq);
}

/** The chunks with objects after a sequence number, one at a time. */
async function* chunksAfter(db: Queries, id: string, attempt: number, from: number): AsyncGenerator<ChunkText> {
  for (let after = from; ; ) {
    const chunk = await chunksOf(db, id, attempt)
      .select(["first_seq", "last_seq", "objects"])
      .where("last_seq", ">", after)
      .executeTakeFirst();
    if (chunk === undefined) return;
    yield chunk;
    after = chunk.last_seq;
  }
}

/** The chunks with these numbers, which ascend, from the one with the object after a sequence number. Others are not read. */
async function* ownChunks(
  db: Queries,
  id: string,
  attempt: number,
  numbers: readonly number[],
  after: number,
): AsyncGenerator<ChunkText> {
  const first = await chunksOf(db, id, attempt).select("no").where("last_seq", ">", after).executeTakeFirst();
  for (const no of first === undefined ? [] : numbers.filter((number) => number >= first.no)) {
    const chunk = await chunksOf(db, id, attempt)
      .select(["first_seq", "objects"])
      .where("no", "=", no)
      .executeTakeFirst();
    if (chunk !== undefined) yield chunk;
  }
}

function chunksOf(db: Queries, id: string, attempt: number) {
  return db
    .selectFrom("chunk")
    .where((eb) => eb.and({ submission_id: id, attempt }))
    .orderBy("last_seq")
    .limit(1);
}

function isDirectly(object: ObjectRecord, folder: string): boolean {
  const path = pathOfObject(object);
  const start = PAYLOAD.length + folder.length;
  return path.startsWith(folder, PAYLOAD.length) && !path.includes("/", start);
}
