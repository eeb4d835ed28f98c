import { type Kysely, sql } from "kysely";

/** Segments are found by their names, also after parts were joined. An area can have millions of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index upload_segment_name on upload_segment (area_id, name)`.execute(db);
}
