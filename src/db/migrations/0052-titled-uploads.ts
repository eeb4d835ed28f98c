import { type Kysely, sql } from "kysely";

/**
 * Uploads whose files are sent one by one under a title, as the web client of e!DAL does. A new one has no title until the first request
 * has arrived completely. Each file has the digest of the metadata with which it was sent, and files that were refused are remembered.
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
    sql`create table upload_refusal (
      area_id uuid not null references upload_area on delete cascade,
      path text collate "C" not null,
      code text not null,
      is_reported boolean not null default false,
      primary key (area_id, path)
    )`,
    sql`alter table upload_file add column metadata_digest text`,
  ]) {
    await change.execute(db);
  }
}
