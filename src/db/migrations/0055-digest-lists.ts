import { type Kysely, sql } from "kysely";

/**
 * The lists of digests of a submission, and the digests that they state. Those of lists in the source are read for each attempt; a
 * `reading` of them counts when it is complete, and 0 are those of the request. Keys are compared as bytes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const change of [
    sql`alter table submission add column digests jsonb`,
    sql`alter table submission add column objects_differing integer not null default 0`,
    sql`create table digest_list (
      submission_id uuid not null references submission on delete cascade,
      no integer not null,
      name text not null,
      format text,
      base text,
      key text,
      content text,
      primary key (submission_id, no)
    )`,
    sql`create table stated_digest (
      submission_id uuid not null references submission on delete cascade,
      reading integer not null,
      key text collate "C" not null,
      algorithm text not null,
      digest text not null,
      is_missing boolean not null default false,
      primary key (submission_id, key, algorithm, reading)
    )`,
    sql`create index stated_digest_missing on stated_digest (submission_id, key) where is_missing`,
  ]) {
    await change.execute(db);
  }
}
