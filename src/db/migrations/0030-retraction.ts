import { type Kysely, sql } from "kysely";

/** Records that a DOI became public although the publication was taken back or withdrawn before it was complete. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table publication add column retracted_at timestamptz`.execute(db);
}
