import { type Kysely, sql } from "kysely";

const statements = [
  sql`create table token (
    id uuid primary key,
    hash bytea not null unique,
    name text not null,
    role text not null,
    first boolean not null,
    created_at timestamptz not null,
    expires_at timestamptz,
    last_used_at timestamptz
  )`,
  // Curators and admins list the submissions of all owners.
  sql`create index submission_newest_of_all on submission (created_at desc, id desc)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
