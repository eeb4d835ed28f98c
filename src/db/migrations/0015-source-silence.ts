import { type Kysely, sql } from "kysely";

/** When the source last sent data, and since when it sends none although requests are open. */
const statement = sql`alter table submission
  add column source_heard_at timestamptz,
  add column source_silent_since timestamptz`;

export async function up(db: Kysely<unknown>): Promise<void> {
  await statement.execute(db);
}
