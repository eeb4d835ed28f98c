import { type Kysely, sql } from "kysely";

/** What an entry of the catalogue was made from, so that private changes of a publication do not change its time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table catalogue_entry add column basis text`.execute(db);
}
