import { type Kysely, sql } from "kysely";

/**
 * Upload areas, their files, and the segments in which the bytes of a file have arrived. Each request that adds bytes writes one
 * segment. `writer` is the request that may add bytes to a file: another request takes its place, and then it can add no more.
 * The area has counters, so that no request adds up its files.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const change of [
    sql`create table upload_area (
      id uuid primary key,
      owner text not null,
      submission_id uuid unique references submission on delete cascade,
      created_at timestamptz not null,
      used_at timestamptz not null,
      removed_at timestamptz,
      files integer not null default 0,
      bytes bigint not null default 0,
      received bigint not null default 0,
      incomplete integer not null default 0,
      next_no integer not null default 1,
      revision bigint not null default 0
    )`,
    sql`create index upload_area_owner on upload_area (owner, created_at desc)`,
    sql`create index upload_area_used on upload_area (used_at) where submission_id is null`,
    sql`create table upload_file (
      area_id uuid not null references upload_area on delete cascade,
      no integer not null,
      path text collate "C" not null,
      bytes bigint not null,
      received bigint not null default 0,
      writer uuid,
      metadata text not null default '',
      stated_sha512 text,
      sha512 text,
      is_damaged boolean not null default false,
      completed_at timestamptz,
      primary key (area_id, no)
    )`,
    sql`create unique index upload_file_path on upload_file (area_id, path)`,
    sql`create index upload_file_incomplete on upload_file (area_id, no) where completed_at is null`,
    sql`create table upload_segment (
      area_id uuid not null,
      no integer not null,
      start_at bigint not null,
      bytes bigint not null,
      name text not null,
      identity text,
      primary key (area_id, no, start_at),
      foreign key (area_id, no) references upload_file on delete cascade
    )`,
  ]) {
    await change.execute(db);
  }
}
