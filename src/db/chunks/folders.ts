import { sql } from "kysely";
import { type CountedFolder, FolderCounts } from "../../domain/keys-and-paths/folder-counts.ts";
import type { Queries } from "../database.ts";
import { BETWEEN, readObject } from "./chunk-text.ts";
import { everyChunk } from "./chunks.ts";
import { hasWords, isKeyIn, linesIn } from "./lines.ts";
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
  const found: ObjectRecord[] = [];
  const first = await chunkAfter(db, id, attempt, after);
  // Objects whose path is not `data/` + key are all in a folder with such a name.
  const wanted = { isIn: isKeyIn(path), hasOdd: path.startsWith("%keys"), after };
  for (const no of first === undefined ? [] : chunks.filter((own) => own >= first)) {
    const lines = await linesIn(db, id, attempt, no, { ...wanted, limit: limit - found.length });
    found.push(...lines.filter((object) => object.state === "stored" && isDirectly(object, path)));
    if (found.length >= limit) break;
  }
  return found.slice(0, limit);
}

/**
 * Up to `limit` stored objects whose paths below `data/` contain each of the words, regardless of case, in listing order. It looks
 * at all objects.
 * @param hasOdd whether objects can have other paths than `data/` + key
 */
export async function filesWith(
  db: Queries,
  id: string,
  attempt: number,
  { words, hasOdd, after, limit }: { words: readonly string[]; hasOdd: boolean; after: number; limit: number },
): Promise<ObjectRecord[]> {
  const found: ObjectRecord[] = [];
  const lowered = words.map((word) => word.toLowerCase());
  const isFound = (object: ObjectRecord) => {
    const path = pathOfObject(object).slice(PAYLOAD.length).toLowerCase();
    return object.state === "stored" && (object.path === null || lowered.every((word) => path.includes(word)));
  };
  const wanted = { isIn: hasWords(words), hasOdd, after };
  for (let no = await chunkAfter(db, id, attempt, after); no !== undefined && found.length < limit; ) {
    const lines = await linesIn(db, id, attempt, no, { ...wanted, limit: limit - found.length });
    found.push(...lines.filter(isFound));
    no = await nextChunk(db, id, attempt, no);
  }
  return found.slice(0, limit);
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

async function nextChunk(db: Queries, id: string, attempt: number, no: number): Promise<number | undefined> {
  const row = await db
    .selectFrom("chunk")
    .select("no")
    .where((eb) => eb.and({ submission_id: id, attempt }))
    .where("no", ">", no)
    .orderBy("no")
    .limit(1)
    .executeTakeFirst();
  return row?.no;
}

/** The number of the chunk with the object after a sequence number; undefined if there is none. */
async function chunkAfter(db: Queries, id: string, attempt: number, after: number): Promise<number | undefined> {
  const row = await db
    .selectFrom("chunk")
    .select("no")
    .where((eb) => eb.and({ submission_id: id, attempt }))
    .where("last_seq", ">", after)
    .orderBy("last_seq")
    .limit(1)
    .executeTakeFirst();
  return row?.no;
}

function isDirectly(object: ObjectRecord, folder: string): boolean {
  const path = pathOfObject(object);
  const start = PAYLOAD.length + folder.length;
  return path.startsWith(folder, PAYLOAD.length) && !path.includes("/", start);
}
