import { type Kysely, sql } from "kysely";

/**
 * Owners receive mail before an upload expires. The address is encrypted, as in other tables. A mail is about a submission or an upload, and
 * so has no foreign key.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const change of [
    sql`alter table upload_area
      add column warned_at timestamptz,
      add column address bytea,
      add column fingerprint text`,
    sql`alter table mail drop constraint mail_submission_id_fkey`,
    sql`alter table mail rename column submission_id to subject_id`,
  ]) {
    await change.execute(db);
  }
}
