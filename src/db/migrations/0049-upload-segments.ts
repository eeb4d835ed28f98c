import { type Kysely, sql } from "kysely";

/**
 * Segments of uploads are recognised by their bytes alone, so that a folder of uploads can be restored or moved. Requests continue the
 * last segment, so that there are few.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table upload_segment drop column identity`.execute(db);
}
