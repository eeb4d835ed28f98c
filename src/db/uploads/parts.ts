import { sql } from "kysely";
import type { Queries } from "../database.ts";
import type { Trx } from "../submissions/submissions.ts";
import type { AreaRow } from "./areas.ts";
import { changeCounters, type NewFile, segmentsOfFiles, type UploadFileRow } from "./files.ts";
import { BEFORE_FILES } from "./part-paths.ts";

/** The parts of an area that were not joined. */
export interface LeftParts {
  count: number;
  /** Their size. */
  bytes: number;
}

const NONE: LeftParts = { count: 0, bytes: 0 };

export async function partsIn(db: Queries, area: string): Promise<LeftParts> {
  return (await partsOfAreas(db, [area])).get(area) ?? NONE;
}

/** The parts of several areas. Those without parts are left out. */
export async function partsOfAreas(db: Queries, areas: readonly string[]): Promise<Map<string, LeftParts>> {
  const rows = await db
    .selectFrom("upload_file")
    .select((eb) => ["area_id", eb.fn.countAll<string>().as("count"), eb.fn.sum<string>("bytes").as("bytes")])
    .where(sql<boolean>`area_id = any(${areas}::uuid[])`)
    .where("path", "<", BEFORE_FILES)
    .groupBy("area_id")
    .execute();
  return new Map(rows.map(({ area_id, count, bytes }) => [area_id, { count: Number(count), bytes: Number(bytes) }]));
}

/** Up to `limit` parts of an area, in an order that stays. @param after the path after which they follow */
export async function listParts(
  db: Queries,
  area: string,
  { after = "", limit }: { after: string | undefined; limit: number },
): Promise<UploadFileRow[]> {
  return db
    .selectFrom("upload_file")
    .selectAll()
    .where("area_id", "=", area)
    .where("path", ">", after)
    .where("path", "<", BEFORE_FILES)
    .orderBy("path")
    .limit(limit)
    .execute();
}

/** Files of an area with these numbers, by number. */
export async function filesByNumber(
  db: Queries,
  area: string,
  nos: readonly number[],
): Promise<Map<number, UploadFileRow>> {
  const rows = await db
    .selectFrom("upload_file")
    .selectAll()
    .where("area_id", "=", area)
    .where(sql<boolean>`no = any(${nos}::integer[])`)
    .execute();
  return new Map(rows.map((row) => [row.no, row]));
}

/**
 * Replaces complete parts of an area, which the caller has locked, by the file that they are in this order. Their segments become those
 * of the file: no byte is copied, and after a crash there are either the parts or the file. The file is complete when it was compared,
 * an empty one at once.
 */
export async function joinParts(
  trx: Trx,
  area: AreaRow,
  { file, parts }: { file: NewFile; parts: readonly UploadFileRow[] },
): Promise<UploadFileRow> {
  const isComplete = file.sha512 !== undefined;
  const no = area.next_no;
  const row = await trx
    .insertInto("upload_file")
    .values({
      ...{ area_id: area.id, no, path: file.path, bytes: file.bytes, received: file.bytes, writer: null },
      ...{ metadata: file.metadata, stated_sha512: file.statedSha512 ?? null, sha512: file.sha512 ?? null },
      completed_at: isComplete ? new Date() : null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const nos = parts.map((part) => part.no);
  const segments = Map.groupBy(await segmentsOfFiles(trx, area.id, nos), (segment) => segment.no);
  let start = 0;
  for (const part of parts) {
    for (const { start_at, name } of segments.get(part.no) ?? []) {
      await trx
        .updateTable("upload_segment")
        .set({ no, start_at: start + start_at })
        .where((eb) => eb.and({ area_id: area.id, no: part.no, name }))
        .execute();
    }
    start += part.bytes;
  }
  await trx
    .deleteFrom("upload_file")
    .where("area_id", "=", area.id)
    .where(sql<boolean>`no = any(${nos}::integer[])`)
    .execute();
  // The bytes of the parts counted for the area already.
  await changeCounters(trx, area.id, { files: 1, incomplete: isComplete ? 0 : 1, next_no: 1, revision: 1 });
  return row;
}

/** Some files of an area that parts were joined to, and that were not compared. @param options.except numbers of other files */
export async function uncomparedFilesOf(
  db: Queries,
  area: string,
  { except, limit }: { except: readonly number[]; limit: number },
): Promise<UploadFileRow[]> {
  return db
    .selectFrom("upload_file")
    .selectAll()
    .where("area_id", "=", area)
    .where("completed_at", "is", null)
    .where("metadata", "like", "final %\n%")
    .whereRef("received", "=", "bytes")
    .where(sql<boolean>`no <> all(${except}::integer[])`)
    .orderBy("no")
    .limit(limit)
    .execute();
}
