import { type Kysely, sql } from "kysely";

/** Indexes with which the curators' queue is searched, sorted by title, and counted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const change of [
    sql`create index dataset_version_submission on dataset_version (submission_id)`,
    sql`create index submission_search_title on submission_search ((left(title, 200) collate "C"))`,
    // Words are added to the index at once. Otherwise each search reads those that were added last one by one, and the embedded
    // database never merges them in the background.
    sql`alter index submission_search_words set (fastupdate = off)`,
    sql`create index publication_problem on publication (dataset_id, version) where problem is not null`,
    sql`create index access_request_open on access_request (dataset_id, version) where state = 'open'`,
    sql`select gin_clean_pending_list('submission_search_words')`,
  ]) {
    await change.execute(db);
  }
}
