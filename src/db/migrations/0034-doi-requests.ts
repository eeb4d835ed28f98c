import { type Kysely, sql } from "kysely";

/** Counts the requests for a DOI, so that an attempt notices those of others, and keeps those whose effect is uncertain. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table doi add column requests integer not null default 0, add column uncertain jsonb`.execute(db);
}
