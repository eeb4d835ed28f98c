import { type Kysely, sql } from "kysely";

const statements = [
  // The last audit of a dataset, and the one in progress. Findings contain paths with possible NUL, so json and not jsonb.
  sql`create table audit (
    dataset_id uuid primary key references dataset,
    at timestamptz,
    ok boolean,
    files bigint not null default 0,
    bytes bigint not null default 0,
    findings json not null default '[]',
    pass json
  )`,
  sql`create index audit_oldest on audit (at)`,
  // One row: the current or last run, and the totals of all runs.
  sql`create table audit_run (
    only_one boolean primary key default true check (only_one),
    began_at timestamptz not null,
    finished_at timestamptz,
    budget bigint not null,
    objects bigint not null default 0,
    bytes bigint not null default 0,
    faults bigint not null default 0
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
