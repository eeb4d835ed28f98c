import { type Kysely, sql } from "kysely";

/** Whether owners let the public see where the data came from. Versions that are published already do not show it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table publication add column show_source boolean not null default false`.execute(db);
}
