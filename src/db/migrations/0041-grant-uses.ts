import { type Kysely, sql } from "kysely";

/** What was read with grants. Of the uses until now, only the last one is known. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const change of [
    sql`alter table access_grant add column uses integer not null default 0, add column first_used_at timestamptz`,
    sql`update access_grant set uses = 1, first_used_at = used_at where used_at is not null`,
    // The key is a digest, because paths can be longer than the entries of an index.
    sql`create table access_grant_use (
      grant_id uuid not null references access_grant on delete cascade,
      key bytea not null,
      version integer not null,
      kind text not null,
      path text not null,
      uses integer not null,
      first_at timestamptz not null,
      last_at timestamptz not null,
      primary key (grant_id, key)
    )`,
  ]) {
    await change.execute(db);
  }
}
