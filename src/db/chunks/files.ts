import { sql } from "kysely";
import { LOOKED_AT, MediaTypes } from "../../describe/metadata/media-types.ts";
import type { Queries } from "../database.ts";
import { type Chunk, chunkOf } from "./chunks.ts";
import { type ObjectRecord, type ObjectState, pathOfObject } from "./objects.ts";

/** How the paths of all odd keys begin; see `markerFor`. */
const ODD = "data/%keys";

export interface FileFilter {
  state?: ObjectState | undefined;
  /** Beginning of the path. */
  prefix?: string | undefined;
  /** Objects after this sequence number; -1 for all. */
  after: number;
}

/** Up to `limit` objects in listing order. */
export async function filesAfter(
  db: Queries,
  id: string,
  attempt: number,
  { limit, ...filter }: FileFilter & { limit: number },
): Promise<ObjectRecord[]> {
  const found: ObjectRecord[] = [];
  for await (const objects of everyFile(db, id, attempt, filter)) {
    found.push(...objects);
    if (found.length >= limit) break;
  }
  return found.slice(0, limit);
}

/** All objects that match a filter, in listing order. Chunks that cannot contain one are not read. */
export async function* everyFile(
  db: Queries,
  id: string,
  attempt: number,
  filter: FileFilter,
): AsyncGenerator<ObjectRecord[]> {
  const { state, prefix = "" } = filter;
  for (let after = filter.after; ; ) {
    const chunk = await nextChunk(db, id, attempt, { state, prefix, after });
    if (chunk === undefined) return;
    const found = chunk.objects.filter(
      (object) =>
        object.seq > after &&
        (state === undefined || object.state === state) &&
        (prefix === "" || pathOfObject(object).startsWith(prefix)),
    );
    if (found.length > 0) yield found;
    after = chunk.lastSeq;
  }
}

/** The media types of the stored objects of a submission. It stops after {@link LOOKED_AT} files. */
export async function mediaTypesOf(db: Queries, { id, attempt }: { id: string; attempt: number }): Promise<string[]> {
  const found = new MediaTypes();
  let files = 0;
  for await (const objects of everyFile(db, id, attempt, { state: "stored", after: -1 })) {
    for (const { responseMetadata } of objects)
      found.add((responseMetadata as { contentType?: string } | null)?.contentType);
    files += objects.length;
    if (files >= LOOKED_AT) break;
  }
  return found.list();
}

async function nextChunk(
  db: Queries,
  id: string,
  attempt: number,
  { state, prefix, after }: { state: ObjectState | undefined; prefix: string; after: number },
): Promise<Chunk | undefined> {
  let query = db
    .selectFrom("chunk")
    .select(["no", "first_seq", "last_seq", "objects"])
    .where((eb) => eb.and({ submission_id: id, attempt }))
    .where("last_seq", ">", after);
  if (state === "stored") {
    query = query.where(sql<boolean>`last_seq - first_seq + 1 > listed + failed + excluded`);
  } else if (state !== undefined) query = query.where(state, ">", 0);
  if (prefix !== "") query = query.where(mayBeginWith(prefix));
  const row = await query.orderBy("last_seq").limit(1).executeTakeFirst();
  return row && chunkOf(row);
}

/** Whether a chunk may contain a path with this prefix. Paths are `data/` + key; those of odd keys begin with {@link ODD}. */
function mayBeginWith(prefix: string) {
  const folder = "data/";
  if (folder.startsWith(prefix)) return sql<boolean>`true`;
  if (!prefix.startsWith(folder)) return sql<boolean>`false`;
  const start = Buffer.from(prefix.slice(folder.length));
  // UTF-8 never contains the byte 255, so this bound is greater than every key that begins with `start`.
  const end = Buffer.concat([start, Buffer.from([255])]);
  const inRange = sql<boolean>`(last_key >= ${start} and first_key < ${end})`;
  return ODD.startsWith(prefix) || prefix.startsWith(ODD) ? sql<boolean>`(odd > 0 or ${inRange})` : inRange;
}
