import { type Kysely, sql } from "kysely";

/** Publication of dataset versions: their states, the history with comments, signed publication records, and DOIs. */
const statements = [
  sql`create table publication (
    dataset_id uuid not null references dataset on delete cascade,
    version integer not null,
    state text not null,
    since timestamptz not null,
    changes integer not null,
    revision integer,
    requested_by text,
    requested_at timestamptz,
    agreement jsonb,
    access text not null,
    embargo_date text,
    access_reason text not null,
    publish_on_approval boolean not null,
    assignee text,
    approved_by text,
    approved_at timestamptz,
    reviewed_sha512 text,
    announced_at timestamptz,
    published_at timestamptz,
    withdrawn_at timestamptz,
    withdrawn_reason text,
    identifier text,
    next_at timestamptz,
    attempts integer not null,
    problem jsonb,
    reminded_at timestamptz,
    primary key (dataset_id, version)
  )`,
  sql`create index publication_state on publication (state, since)`,
  sql`create index publication_due on publication (next_at) where next_at is not null`,
  // History and comments in one sequence for each version, because both are shown in order and acknowledged by number.
  sql`create table publication_entry (
    dataset_id uuid not null,
    version integer not null,
    no integer not null,
    at timestamptz not null,
    actor text not null,
    action text not null,
    state text not null,
    comment text not null,
    place jsonb,
    answers integer,
    revision integer not null,
    data jsonb,
    primary key (dataset_id, version, no),
    foreign key (dataset_id, version) references publication on delete cascade
  )`,
  sql`create table publication_record (
    dataset_id uuid not null,
    version integer not null,
    no integer not null,
    issued_at timestamptz not null,
    jws text not null,
    stored_at timestamptz,
    primary key (dataset_id, version, no),
    foreign key (dataset_id, version) references publication on delete cascade
  )`,
  sql`create table doi (
    doi text primary key,
    dataset_id uuid not null references dataset on delete cascade,
    version integer not null,
    created_at timestamptz not null,
    reserved boolean not null,
    state text not null,
    sent_sha256 text,
    confirmed_sha256 text,
    confirmed_at timestamptz,
    registered_at timestamptz,
    checked_at timestamptz,
    differences jsonb,
    repair boolean not null default false
  )`,
  // 0 is the version of the concept DOI, which stands for all versions. Abandoned DOIs keep their row without being used.
  sql`create unique index doi_of_version on doi (dataset_id, version) where state <> 'abandoned'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
