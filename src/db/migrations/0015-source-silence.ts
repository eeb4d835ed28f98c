import { type Kysely, sql } from "kysely";

/** When the source last sent anything, and since when it sends nothing although it is asked. */
const statement = sql`alter table submission
  add column source_heard_at timestamptz,
  add column source_silent_since timestamptz`;

export async function up(db: Kysely<unknown>): Promise<void> {
  await statement.execute(db);
}
