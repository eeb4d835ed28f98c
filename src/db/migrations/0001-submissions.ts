import { type Kysely, sql } from "kysely";

/** Columns that may contain a key are json, because jsonb refuses NUL. */
const statements = [
  sql`create table submission (
    id uuid primary key,
    owner text not null,
    attempt integer not null default 1,
    status text not null,
    resume_status text,
    title text not null,
    sent json not null,
    metadata jsonb not null,
    warnings jsonb not null,
    endpoint text not null,
    region text,
    bucket text not null,
    addressing text not null,
    selection jsonb not null,
    credentials bytea,
    anonymous boolean not null,
    dataset_id uuid,
    dataset_version integer,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    finished_at timestamptz,
    listing_complete boolean not null default false,
    listing_position json,
    objects_listed bigint not null default 0,
    bytes_listed bigint not null default 0,
    objects_stored bigint not null default 0,
    bytes_stored bigint not null default 0,
    objects_failed bigint not null default 0,
    objects_excluded bigint not null default 0,
    bytes_excluded bigint not null default 0,
    marker_run integer not null default -1,
    md5_proven boolean not null default false,
    first_read_at timestamptz,
    last_read_at timestamptz,
    transfer_started_at timestamptz,
    transfer_started_bytes bigint not null default 0,
    relisting_position json,
    drift json not null default '[]',
    drift_total bigint not null default 0,
    waiting jsonb,
    last_wait jsonb,
    probe_at timestamptz,
    probes integer not null default 0,
    failure jsonb,
    staged boolean not null default true,
    fence integer not null default 0,
    published_at timestamptz,
    receipt text,
    last_event integer not null default 0
  )`,
  sql`create index submission_newest on submission (owner, created_at desc, id desc)`,
  sql`create index submission_title on submission (owner, title)`,
  sql`create index submission_open on submission (status) where status not in ('completed', 'cancelled', 'failed')`,
  sql`create table chunk (
    submission_id uuid not null references submission on delete cascade,
    attempt integer not null,
    no integer not null,
    first_seq bigint not null,
    last_seq bigint not null,
    first_key bytea not null,
    last_key bytea not null,
    listed integer not null,
    failed integer not null,
    excluded integer not null,
    suspect integer not null,
    odd integer not null,
    objects text not null
  )`,
  // Stored outside of the row and uncompressed, because compressing takes longer than writing.
  sql`alter table chunk alter column objects set storage external`,
  sql`create unique index chunk_place on chunk (submission_id, attempt, last_seq)`,
  sql`create index chunk_key on chunk (submission_id, attempt, last_key)`,
  sql`create index chunk_open on chunk (submission_id, attempt, no) where listed > 0`,
  sql`create index chunk_failed on chunk (submission_id, attempt, last_seq) where failed > 0`,
  sql`create index chunk_excluded on chunk (submission_id, attempt, last_seq) where excluded > 0`,
  sql`create index chunk_suspect on chunk (submission_id, attempt, last_seq) where suspect > 0`,
  sql`create index chunk_odd on chunk (submission_id, attempt, last_seq) where odd > 0`,
  // Created last, because the planner prefers the newest of several indexes with the same cost. The embedded database has
  // no statistics, and without them all indexes that begin with the same columns have the same cost for one row.
  sql`alter table chunk add primary key (submission_id, attempt, no)`,
  sql`create table unordered_key (
    submission_id uuid not null references submission on delete cascade,
    attempt integer not null,
    key bytea not null,
    chunk integer not null,
    relisted boolean not null default false,
    primary key (submission_id, attempt, key)
  )`,
  sql`create table displaced (
    submission_id uuid not null references submission on delete cascade,
    attempt integer not null,
    content_path text not null,
    chunk integer not null,
    primary key (submission_id, attempt, content_path)
  )`,
  sql`create table event (
    submission_id uuid not null references submission on delete cascade,
    seq integer not null,
    at timestamptz not null,
    attempt integer not null,
    type text not null,
    message text not null,
    data json,
    primary key (submission_id, seq)
  )`,
  sql`create table dataset (
    id uuid primary key,
    owner text not null,
    title text not null,
    latest_version integer not null,
    created_at timestamptz not null
  )`,
  sql`create table dataset_version (
    dataset_id uuid not null references dataset,
    version integer not null,
    submission_id uuid not null references submission,
    published_at timestamptz not null,
    objects bigint not null,
    bytes bigint not null,
    primary key (dataset_id, version)
  )`,
  sql`create table idempotency (
    owner text not null,
    key text not null,
    fingerprint text not null,
    submission_id uuid,
    claimed_until timestamptz not null,
    created_at timestamptz not null,
    primary key (owner, key)
  )`,
  sql`create table fingerprint (name text primary key, value text not null)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
