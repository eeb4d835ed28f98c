import { type Kysely, sql } from "kysely";

/**
 * The day on which a change of access opened the files, for descriptions. The year in the catalogue is that of publication, also
 * with an embargo, so that entries are described again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table publication add column opened_on text`.execute(db);
  await sql`update publication set catalogued = false where embargo_date is not null`.execute(db);
}
