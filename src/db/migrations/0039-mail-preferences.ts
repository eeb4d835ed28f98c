import { type Kysely, sql } from "kysely";

/** In which language people want mail, and which. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table mail_preference (
    account text primary key,
    language text,
    delivery text not null
  )`.execute(db);
}
