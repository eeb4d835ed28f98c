import { sql } from "kysely";
import { type CountedFolder, FolderCounts } from "../../domain/keys-and-paths/folder-counts.ts";
import type { Queries } from "../database.ts";
import { BETWEEN, readObject } from "./chunk-text.ts";
import { everyChunk } from "./chunks.ts";
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
  for (const no of first === undefined ? [] : chunks.filter((own) => own >= first)) {
    const lines = await linesIn(db, id, attempt, no, { folder: path, after, limit: limit - found.length });
    found.push(...lines.filter((object) => object.state === "stored" && isDirectly(object, path)));
    if (found.length >= limit) break;
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

/**
 * The objects of a chunk that can be in a folder itself. The database selects their lines, because the whole chunk takes several times
 * longer to transfer. A line begins with the key, then the size (`chunk-text.ts`).
 */
async function linesIn(
  db: Queries,
  id: string,
  attempt: number,
  no: number,
  { folder, after, limit }: { folder: string; after: number; limit: number },
): Promise<ObjectRecord[]> {
  const start = `{"k":${JSON.stringify(folder).slice(0, -1)}`;
  const isIn = sql<boolean>`starts_with(line, ${start})
    and position('/' in split_part(substr(line, length(${start}) + 1), '","b":', 1)) = 0`;
  // Objects whose path is not `data/` + key are all in a folder with such a name.
  const hasOdd = folder.startsWith("%keys");
  // Metadata of the object can have the same member, later in the line.
  const isOdd = sql<boolean>`position('"p":"' in split_part(line, ',"m":{', 1)) > 0`;
  // The limit applies to objects that are in the folder, also if many odd ones have keys like theirs.
  const isWanted = hasOdd ? sql<boolean>`(${isIn} or ${isOdd})` : sql<boolean>`${isIn} and not ${isOdd}`;
  const { rows } = await sql<{ line: string; seq: number }>`
    select line, first_seq + place - 1 as seq
    from chunk, unnest(string_to_array(substr(objects, 2, length(objects) - 2), ${BETWEEN})) with ordinality as lines (line, place)
    where submission_id = ${id} and attempt = ${attempt} and no = ${no}
      and first_seq + place - 1 > ${after} and position('"s":1' in line) > 0 and ${isWanted}
    order by place ${hasOdd ? sql`` : sql`limit ${limit}`}`.execute(db);
  return rows.map(({ line, seq }) => readObject(line, seq));
}

function isDirectly(object: ObjectRecord, folder: string): boolean {
  const path = pathOfObject(object);
  const start = PAYLOAD.length + folder.length;
  return path.startsWith(folder, PAYLOAD.length) && !path.includes("/", start);
}
