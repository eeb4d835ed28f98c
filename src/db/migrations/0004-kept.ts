import { type Kysely, sql } from "kysely";

const statements = [
  sql`alter table submission
    add column objects_kept bigint not null default 0,
    add column bytes_kept bigint not null default 0`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
