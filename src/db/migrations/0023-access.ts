import { type Kysely, sql } from "kysely";

/** Grants of access to closed files of published versions, and requests for them. */
const statements = [
  // Null as the version means all versions.
  sql`create table access_grant (
    id uuid primary key,
    dataset_id uuid not null references dataset on delete cascade,
    version integer,
    kind text not null,
    subject text,
    email text,
    hash bytea unique,
    note text not null,
    granted_by text not null,
    created_at timestamptz not null,
    expires_at timestamptz,
    revoked_at timestamptz,
    revoked_by text,
    used_at timestamptz
  )`,
  sql`create index access_grant_dataset on access_grant (dataset_id)`,
  sql`create table access_request (
    id uuid primary key,
    dataset_id uuid not null references dataset on delete cascade,
    version integer not null,
    account text,
    name text,
    email text,
    email_verified boolean not null,
    reason text not null,
    created_at timestamptz not null,
    state text not null,
    decided_by text,
    decided_at timestamptz,
    answer text not null,
    grant_id uuid references access_grant on delete set null
  )`,
  sql`create index access_request_dataset on access_request (dataset_id)`,
  // A person has at most one open request for a dataset.
  sql`create unique index access_request_account on access_request (dataset_id, account)
    where state = 'open' and account is not null`,
  sql`create unique index access_request_email on access_request (dataset_id, email)
    where state = 'open' and account is null`,
  // A link of a reader with a grant ends with the grant. Readers without a token have no owner name.
  sql`alter table download_link add column grant_id uuid references access_grant on delete cascade`,
  sql`alter table download_link alter column owner drop not null`,
  // Notifies processes, which then end downloads with a revoked grant.
  sql`create function tell_of_grant() returns trigger language plpgsql as $$
    begin
      perform pg_notify('accession_token', new.id::text);
      return null;
    end $$`,
  sql`create trigger told after update of revoked_at on access_grant for each row execute function tell_of_grant()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
