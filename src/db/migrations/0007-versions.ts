import { type Kysely, sql } from "kysely";

const statements = [
  sql`alter table submission
    add column objects_unchanged bigint not null default 0,
    add column bytes_unchanged bigint not null default 0`,
  // Before, every dataset had one version, and a submission received its version only at publication.
  sql`update submission set dataset_version = 1 where dataset_version is null`,
  sql`create unique index submission_of_dataset on submission (dataset_id)
    where status not in ('completed', 'cancelled', 'failed')`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
