import { type Kysely, sql } from "kysely";

/**
 * The day on which a change of access opened the files, for descriptions. The year and the dates are those of
 * publication, so that entries of the catalogue and records of DataCite are written again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table publication add column opened_on text`.execute(db);
  await sql`
    update publication set catalogued = false, next_at = now(), renewals = renewals + 1
    where published_at is not null`.execute(db);
}
