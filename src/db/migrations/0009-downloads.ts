import { type Kysely, sql } from "kysely";

const statements = [
  sql`create table download_link (
    hash bytea primary key,
    owner text not null,
    roles text[] not null,
    dataset_id uuid not null references dataset on delete cascade,
    version integer not null,
    path text,
    format text,
    expires_at timestamptz not null
  )`,
  sql`create index download_link_expired on download_link (expires_at)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
