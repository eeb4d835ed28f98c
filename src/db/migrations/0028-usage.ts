import { type Kysely, sql } from "kysely";

/**
 * Usage statistics. `usage_day` holds the counts that are kept; it does not reference datasets, so that counts are never lost
 * because of a dataset. The other tables are unlogged, so that neither the salt nor what is hashed with it gets into the
 * write-ahead log and its archives. They are empty after a crash of the database server.
 */
const statements = [
  sql`create table usage_day (
    dataset_id uuid not null,
    version integer not null,
    day date not null,
    access text not null,
    investigations integer not null,
    requests integer not null,
    unique_investigations integer not null,
    unique_requests integer not null,
    dataset_investigations integer not null,
    dataset_requests integer not null,
    primary key (dataset_id, version, day, access)
  )`,
  sql`create index usage_day_day on usage_day (day)`,
  sql`create unlogged table usage_salt (day date primary key, salt bytea not null)`,
  sql`create unlogged table usage_key (
    key bytea primary key,
    at timestamptz not null,
    expires_at timestamptz not null
  )`,
  sql`create index usage_key_expiry on usage_key (expires_at)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
