import { type Kysely, sql } from "kysely";

/** Counts how often a publication was marked for renewal, so that an attempt in progress does not end a later one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table publication add column renewals integer not null default 0`.execute(db);
}
