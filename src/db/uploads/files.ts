import { type Selectable, sql } from "kysely";
import { Problem } from "../../domain/problems.ts";
import type { Queries } from "../database.ts";
import type { Trx } from "../submissions/submissions.ts";
import type { UploadFileTable, UploadSegmentTable } from "../tables/upload-tables.ts";
import { type AreaRow, lockArea } from "./areas.ts";
import { BEFORE_FILES, isPart } from "./part-paths.ts";

export type UploadFileRow = Selectable<UploadFileTable>;
export type SegmentRow = Selectable<UploadSegmentTable>;

/** A file in an area. */
export interface FileRef {
  area: string;
  no: number;
}

/**
 * The `writer` of a file to which no request may add bytes, while one that has lost this right may still write to the last segment. No
 * request has this name.
 */
export const RELEASED = "00000000-0000-0000-0000-000000000000";

/** A file that is added to an area. */
export interface NewFile {
  path: string;
  bytes: number;
  /** As they were sent; empty if they are longer than what is kept. */
  metadata: string;
  statedSha512: string | undefined;
  /** Of an empty file, which is complete at once. */
  sha512: string | undefined;
}

/** Adds a file to an area, which the caller has locked, and which has no file with this path. */
export async function insertFile(trx: Trx, area: AreaRow, file: NewFile): Promise<UploadFileRow> {
  const now = new Date();
  const isComplete = file.sha512 !== undefined;
  const row = await trx
    .insertInto("upload_file")
    .values({
      area_id: area.id,
      no: area.next_no,
      path: file.path,
      bytes: file.bytes,
      writer: null,
      metadata: file.metadata,
      stated_sha512: file.statedSha512 ?? null,
      sha512: file.sha512 ?? null,
      completed_at: isComplete ? now : null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const asFile = isPart(file) ? {} : { files: 1, incomplete: isComplete ? 0 : 1, revision: 1 };
  await changeCounters(trx, area.id, { bytes: file.bytes, next_no: 1, ...asFile });
  return row;
}

/** Whether a file has the SHA-512 that a client states: the one that was stated before, else that of its bytes. */
export function hasSha512(
  { stated_sha512, sha512 }: Pick<UploadFileRow, "stated_sha512" | "sha512">,
  stated: string,
): boolean {
  return (stated_sha512 ?? sha512) === stated;
}

export async function findFile(db: Queries, { area, no }: FileRef): Promise<UploadFileRow | undefined> {
  return db
    .selectFrom("upload_file")
    .selectAll()
    .where((eb) => eb.and({ area_id: area, no }))
    .executeTakeFirst();
}

/** The file of an area with this path. */
export async function fileWithPath(db: Queries, area: string, path: string): Promise<UploadFileRow | undefined> {
  return db
    .selectFrom("upload_file")
    .selectAll()
    .where((eb) => eb.and({ area_id: area, path }))
    .executeTakeFirst();
}

/** The segments of a file, in order. */
export async function segmentsOf(db: Queries, { area, no }: FileRef): Promise<SegmentRow[]> {
  return segmentsOfFiles(db, area, [no]);
}

/** The segments of several files, in order. */
export async function segmentsOfFiles(db: Queries, area: string, nos: readonly number[]): Promise<SegmentRow[]> {
  return db
    .selectFrom("upload_segment")
    .selectAll()
    .where("area_id", "=", area)
    .where(sql<boolean>`no = any(${nos}::integer[])`)
    .orderBy("no")
    .orderBy("start_at")
    .execute();
}

/** Up to `limit` files by path in the byte order of keys. @param after the path after which they follow */
export async function filesOf(
  db: Queries,
  area: string,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<UploadFileRow[]> {
  let query = db.selectFrom("upload_file").selectAll().where("area_id", "=", area).where("path", ">", BEFORE_FILES);
  if (after !== undefined) query = query.where("path", ">", after);
  return query.orderBy("path").limit(limit).execute();
}

/** Some files that are not complete. */
export async function incompleteFilesOf(db: Queries, area: string, limit: number): Promise<UploadFileRow[]> {
  return db
    .selectFrom("upload_file")
    .selectAll()
    .where("area_id", "=", area)
    .where("completed_at", "is", null)
    .where("path", ">", BEFORE_FILES)
    .orderBy("no")
    .limit(limit)
    .execute();
}

/** A file to which a request may add bytes. */
export interface TakenFile {
  row: UploadFileRow;
  /** The last segment, if no request can write to it any more. */
  last: SegmentRow | undefined;
}

/**
 * Lets a request add bytes to a file. An earlier request can then add no more. Without effect if the file has received another
 * number of bytes, or all of them, or the request has more than it lacks.
 * @returns the file as it is; undefined if it does not exist, or its area can no longer be changed
 */
export async function takeFile(
  db: Queries,
  ref: FileRef,
  { writer, received, more }: { writer: string; received: number; more: number },
): Promise<TakenFile | undefined> {
  return db.transaction().execute(async (trx) => {
    if ((await lockArea(trx, ref.area)) === undefined) return undefined;
    const row = await findFile(trx, ref);
    if (row === undefined) return undefined;
    const lacks = row.bytes - row.received;
    if (row.received !== received || lacks === 0 || more > lacks) return { row, last: undefined };
    // An earlier request that was not ended may still write.
    const last = row.writer === null ? (await segmentsOf(trx, ref)).at(-1) : undefined;
    await updateFile(trx, ref, { writer, is_damaged: false });
    return { row: { ...row, writer }, last };
  });
}

/**
 * Proves that a request may still add bytes to a file.
 * @throws Problem `not_found`; `upload_taken_over` if another request adds bytes now
 */
export async function requireWriter(db: Queries, ref: FileRef, writer: string): Promise<UploadFileRow> {
  const row = await findFile(db, ref);
  if (row === undefined) throw gone();
  if (row.writer !== writer) throw new Problem("upload_taken_over");
  return row;
}

/** Durable bytes of a request. */
export interface Progress {
  writer: string;
  segment: Pick<SegmentRow, "name" | "start_at">;
  /** The number of bytes that the file has with these. */
  received: number;
  /** Whether the request adds no more. */
  isEnd: boolean;
}

/**
 * Records durable bytes of a file. May be repeated after an error that leaves the result open: bytes that were recorded stay.
 * @returns the number of bytes of the file that are recorded
 * @throws Problem as {@link requireWriter}
 */
export async function recordProgress(
  db: Queries,
  ref: FileRef,
  { writer, segment, received, isEnd }: Progress,
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    if ((await lockArea(trx, ref.area)) === undefined) throw gone();
    const row = await requireWriter(trx, ref, writer);
    const reached = Math.max(received, row.received);
    const bytes = reached - segment.start_at;
    // If it has added nothing, the last segment may be that of an earlier request that still writes.
    const after = bytes > 0 ? null : RELEASED;
    await updateFile(trx, ref, { received: reached, ...(isEnd && { writer: after }) });
    if (bytes > 0) {
      await trx
        .insertInto("upload_segment")
        .values({ area_id: ref.area, no: ref.no, bytes, ...segment })
        .onConflict((conflict) => conflict.columns(["area_id", "no", "start_at"]).doUpdateSet({ bytes }))
        .execute();
    }
    await changeCounters(trx, ref.area, { received: reached - row.received });
    return reached;
  });
}

function gone(): Problem {
  return new Problem("not_found", "The file was removed from the upload, or the upload was deleted");
}

/** A file as it was when its comparison with its digest began. */
type Compared = Pick<UploadFileRow, "area_id" | "no" | "generation">;

/**
 * Completes a file of which all bytes have arrived.
 * @returns false if it does not exist any more, is complete, or has other bytes than those that were compared
 */
export async function completeFile(db: Queries, file: Compared, sha512: string | null): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    if ((await lockArea(trx, file.area_id)) === undefined) return false;
    const complete = allOf(trx, file).set({ sha512, completed_at: new Date() });
    const row = await complete.returning("path").executeTakeFirst();
    if (row === undefined) return false;
    await changeCounters(trx, file.area_id, isPart(row) ? {} : { incomplete: -1, revision: 1 });
    return true;
  });
}

/** Forgets all bytes of a file that do not have the stated SHA-512. @returns false as {@link completeFile} */
export async function resetFile(db: Queries, file: Compared & Pick<UploadFileRow, "bytes">): Promise<boolean> {
  const { area_id, no, generation } = file;
  return db.transaction().execute(async (trx) => {
    if ((await lockArea(trx, area_id)) === undefined) return false;
    const { numUpdatedRows } = await allOf(trx, file)
      .set({
        ...{ received: 0, writer: null, is_damaged: true, generation: generation + 1 },
        // If it was joined from parts, it can be sent as a whole from then on; see src/uploads/concatenation.ts.
        metadata: sql<string>`substr(metadata, position(chr(10) in metadata) + 1)`,
      })
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    await trx
      .deleteFrom("upload_segment")
      .where((eb) => eb.and({ area_id, no }))
      .execute();
    await changeCounters(trx, area_id, { received: -file.bytes });
    return true;
  });
}

/** Removes a file of an area, which the caller has locked. @returns its segments; undefined if it does not exist */
export async function deleteFile(trx: Trx, ref: FileRef): Promise<SegmentRow[] | undefined> {
  const segments = await segmentsOf(trx, ref);
  const row = await trx
    .deleteFrom("upload_file")
    .where((eb) => eb.and({ area_id: ref.area, no: ref.no }))
    .returning(["path", "bytes", "received", "completed_at"])
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const asFile = isPart(row) ? {} : { files: -1, incomplete: row.completed_at === null ? -1 : 0, revision: 1 };
  await changeCounters(trx, ref.area, { bytes: -row.bytes, received: -row.received, ...asFile });
  return segments;
}

/** A file of which all bytes have arrived, and that is not complete. */
function allOf(trx: Trx, { area_id, no, generation }: Compared) {
  return trx
    .updateTable("upload_file")
    .where((eb) => eb.and({ area_id, no, generation }))
    .where("completed_at", "is", null)
    .whereRef("received", "=", "bytes");
}

async function updateFile(trx: Trx, { area, no }: FileRef, set: Partial<UploadFileRow>): Promise<void> {
  await trx
    .updateTable("upload_file")
    .set(set)
    .where((eb) => eb.and({ area_id: area, no }))
    .execute();
}

type Counter = "files" | "bytes" | "received" | "incomplete" | "next_no" | "revision";

/** Adds to the counters of an area, and notes that it is used: its owner is told again before it expires. */
export async function changeCounters(trx: Trx, area: string, by: Partial<Record<Counter, number>>): Promise<void> {
  const sums = Object.entries(by).map(([name, value]) => sql`${sql.ref(name)} = ${sql.ref(name)} + ${value}::bigint`);
  await sql`update upload_area set ${sql.join([sql`used_at = now()`, sql`warned_at = null`, ...sums])} where id = ${area}`.execute(
    trx,
  );
}
