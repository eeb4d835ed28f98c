import { type Kysely, sql } from "kysely";

/**
 * A file whose bytes were forgotten has a new generation, so that a late comparison of its earlier bytes has no effect. Folders of uploads
 * that the database does not know are remembered with the time when they were first seen.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table upload_file add column generation integer not null default 0`.execute(db);
  await sql`create table unknown_upload (id uuid primary key, seen_at timestamptz not null)`.execute(db);
}
