import { type Kysely, sql } from "kysely";

/**
 * Metadata revisions. Until now the version of a dataset and the version of its OCFL object had the same number; a revision
 * adds a version to the object only.
 */
const statements = [
  sql`alter table submission add column ocfl_version integer`,
  sql`update submission set ocfl_version = dataset_version`,
  sql`alter table dataset_version add column ocfl_version integer`,
  sql`update dataset_version set ocfl_version = version`,
  sql`alter table dataset_version alter column ocfl_version set not null`,
  sql`alter table dataset
    add column latest_ocfl_version integer,
    add column latest_revision integer not null default 1`,
  sql`update dataset set latest_ocfl_version = latest_version`,
  sql`alter table dataset alter column latest_ocfl_version set not null`,
  sql`create table metadata_revision (
    id uuid primary key,
    dataset_id uuid not null references dataset on delete cascade,
    version integer not null,
    revision integer not null,
    ocfl_version integer not null,
    title text not null,
    changed_by text not null,
    note text not null,
    created_at timestamptz not null,
    sent json not null,
    metadata jsonb not null,
    warnings jsonb not null,
    fence integer not null default 0,
    published_at timestamptz,
    finished_at timestamptz,
    receipt text
  )`,
  // A revision that was given up has no publication, and its numbers are given to the next one.
  sql`create unique index metadata_revision_numbers on metadata_revision (dataset_id, version, revision)
    where published_at is not null or finished_at is null`,
  sql`create unique index metadata_revision_in_progress on metadata_revision (dataset_id) where finished_at is null`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
