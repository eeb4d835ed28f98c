import { type Kysely, sql } from "kysely";

/** Mail that is held, and sent once a day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index mail_held on mail (due_at) where status = 'held'`.execute(db);
}
