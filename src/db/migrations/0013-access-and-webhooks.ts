import { type Kysely, sql } from "kysely";

const statements = [
  // A link ends with the token that created it. Existing links would expire within a minute.
  sql`delete from download_link`,
  sql`alter table download_link add column token_id uuid references token on delete cascade`,
  sql`create index download_link_token on download_link (token_id) where token_id is not null`,
  // Notifies processes, which then end requests of a revoked token.
  sql`
    create function tell_of_token() returns trigger language plpgsql as $$
    begin
      perform pg_notify('accession_token', old.id::text);
      return null;
    end $$`,
  sql`create trigger told after delete on token for each row execute function tell_of_token()`,
  // Null means all event types.
  sql`alter table webhook add column events text[]`,
  // A test delivery has no event.
  sql`alter table delivery alter column submission_id drop not null, alter column event drop not null`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
