import { type Kysely, sql } from "kysely";

const statements = [
  sql`alter table dataset
    add column withdrawn_at timestamptz,
    add column withdrawn_by text,
    add column withdrawn_reason text,
    add column removed_at timestamptz`,
  sql`create index dataset_withdrawing on dataset (id) where withdrawn_at is not null and removed_at is null`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
