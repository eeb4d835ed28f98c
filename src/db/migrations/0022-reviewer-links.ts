import { type Kysely, sql } from "kysely";

/** Links with which reviewers of a journal read one version of a dataset without an account. */
const statements = [
  sql`create table reviewer_link (
    id uuid primary key,
    dataset_id uuid not null references dataset on delete cascade,
    version integer not null,
    hash bytea not null unique,
    label text not null,
    anonymous boolean not null,
    files_left_out integer not null,
    bytes_left_out bigint not null,
    created_by text not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    revoked_at timestamptz,
    revoked_by text,
    visits integer not null default 0,
    last_visit_at timestamptz
  )`,
  sql`create index reviewer_link_of_dataset on reviewer_link (dataset_id, created_at)`,
  // A download that a reviewer starts is checked against the link again. Other downloads have none.
  sql`alter table download_link add column reviewer_link_id uuid references reviewer_link on delete cascade`,
  sql`create index download_link_reviewer on download_link (reviewer_link_id) where reviewer_link_id is not null`,
  // Notifies processes, which then end downloads with a revoked link, as they do for a revoked token.
  sql`
    create function tell_of_reviewer_link() returns trigger language plpgsql as $$
    begin
      perform pg_notify('accession_token', new.id::text);
      return null;
    end $$`,
  sql`create trigger told after update of revoked_at on reviewer_link for each row execute function tell_of_reviewer_link()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
