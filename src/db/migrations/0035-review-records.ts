import { type Kysely, sql } from "kysely";

/**
 * Signed records of reviews. The history of publications that exist is stored in the archive after the upgrade: `review_due` is the
 * newest entry that must be in the archive, `review_kept` the newest one that is.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const change of [
    sql`alter table publication_record add column kind text not null default 'publication'`,
    sql`alter table publication_record drop constraint publication_record_pkey`,
    sql`alter table publication_record add primary key (dataset_id, version, kind, no)`,
    sql`alter table publication add column review_due integer not null default 0,
      add column review_kept integer not null default 0`,
    sql`update publication set review_due = entry.newest from (
      select dataset_id, version, max(no) as newest from publication_entry group by dataset_id, version
    ) as entry where entry.dataset_id = publication.dataset_id and entry.version = publication.version`,
    sql`create index publication_review_due on publication (dataset_id) where review_due > review_kept`,
  ]) {
    await change.execute(db);
  }
}
