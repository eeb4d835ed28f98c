import { type Kysely, sql } from "kysely";

const statements = [
  sql`create table turn (name text primary key, taken_at timestamptz not null)`,
  sql`
    create function tell_of_submission() returns trigger language plpgsql as $$
    begin
      perform pg_notify('accession_submission', new.id::text);
      return null;
    end $$`,
  sql`
    create trigger told after update on submission
    for each row execute function tell_of_submission()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
