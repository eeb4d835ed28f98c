import { sql } from "kysely";
import type { Queries } from "../database.ts";
import { lockArea } from "./areas.ts";
import type { SegmentRow } from "./files.ts";

/** The recorded bytes of the segment with this name, 0 if there is none; waits for what is being recorded. */
export async function bytesOfSegment(db: Queries, area: string, name: string): Promise<number> {
  return db.transaction().execute(async (trx) => {
    await lockArea(trx, area);
    return (await segmentsWithNames(trx, area, [name]))[0]?.bytes ?? 0;
  });
}

/**
 * Those segments of an area that have one of these names. Names have the number of the file for which the bytes were sent: after parts were
 * joined, the segment belongs to another one.
 */
export async function segmentsWithNames(db: Queries, area: string, names: readonly string[]): Promise<SegmentRow[]> {
  return db
    .selectFrom("upload_segment")
    .selectAll()
    .where("area_id", "=", area)
    .where(sql<boolean>`name = any(${names}::text[])`)
    .execute();
}

/** How many segments these files have, by number. Those without segments are left out. */
export async function segmentCounts(db: Queries, area: string, nos: readonly number[]): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom("upload_segment")
    .select((eb) => ["no", eb.fn.countAll<string>().as("count")])
    .where("area_id", "=", area)
    .where(sql<boolean>`no = any(${nos}::integer[])`)
    .groupBy("no")
    .execute();
  return new Map(rows.map(({ no, count }) => [no, Number(count)]));
}
