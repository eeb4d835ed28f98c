import { type Kysely, sql } from "kysely";

/**
 * Reserved DOIs. A DOI can be reserved with the submission, before the dataset exists, so that it no longer references the
 * table of datasets. `next_at` says when the service continues with the reservation or its end. The account at DataCite is
 * checked before datasets are published.
 */
const statements = [
  sql`alter table doi drop constraint doi_dataset_id_fkey`,
  sql`alter table doi
    add column next_at timestamptz,
    add column attempts integer not null default 0,
    add column problem jsonb`,
  // One row: the result of the last check of the account at DataCite.
  sql`create table doi_account (
    one boolean primary key check (one),
    checked_at timestamptz not null,
    problem jsonb
  )`,
  sql`create index doi_due on doi (next_at) where next_at is not null`,
  sql`create index doi_reserved on doi (dataset_id) where reserved and state in ('chosen', 'draft')`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
