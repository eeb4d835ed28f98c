import { type Kysely, sql } from "kysely";

/**
 * Uploads whose files are sent one by one under a title, as the web client of e!DAL does. A new one has no title until the first request
 * has arrived completely. Each file has the digest of the metadata with which it was sent. Each request has a row from before its body is
 * read until its file is recorded, or its owner was told that the file is missing.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const change of [
    sql`create table titled_upload (
      area_id uuid primary key references upload_area on delete cascade,
      owner text not null,
      title text,
      metadata text
    )`,
    sql`create unique index titled_upload_title on titled_upload (owner, md5(title)) where title is not null`,
    sql`create unique index titled_upload_untitled on titled_upload (owner) where title is null`,
    sql`create table upload_arrival (
      id uuid primary key,
      owner text not null,
      name text,
      code text,
      began_at timestamptz not null,
      alive_until timestamptz not null
    )`,
    sql`create index upload_arrival_owner on upload_arrival (owner)`,
    sql`alter table upload_file add column metadata_digest text`,
  ]) {
    await change.execute(db);
  }
}
