import { type Kysely, sql } from "kysely";

const statements = [
  // A link ends with the token that it was made with. Links that are there now end within a minute.
  sql`delete from download_link`,
  sql`alter table download_link add column token_id uuid references token on delete cascade`,
  sql`create index download_link_token on download_link (token_id) where token_id is not null`,
  // Processes that serve requests of a revoked token end them.
  sql`
    create function tell_of_token() returns trigger language plpgsql as $$
    begin
      perform pg_notify('accession_token', old.id::text);
      return null;
    end $$`,
  sql`create trigger told after delete on token for each row execute function tell_of_token()`,
  // Null stands for all types of events.
  sql`alter table webhook add column events text[]`,
  // A test delivery is about no event.
  sql`alter table delivery alter column submission_id drop not null, alter column event drop not null`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
