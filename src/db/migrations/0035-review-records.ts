import { type Kysely, sql } from "kysely";

/**
 * Signed records of reviews, and when the service stores the next one (null: nothing is to be stored). After the upgrade it stores
 * the history of all publications that exist.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const change of [
    sql`alter table publication_record add column kind text not null default 'publication'`,
    sql`alter table publication_record drop constraint publication_record_pkey`,
    sql`alter table publication_record add primary key (dataset_id, version, kind, no)`,
    sql`alter table publication add column review_due_at timestamptz`,
    sql`update publication set review_due_at = now()`,
    sql`create index publication_review_due on publication (review_due_at) where review_due_at is not null`,
  ]) {
    await change.execute(db);
  }
}
