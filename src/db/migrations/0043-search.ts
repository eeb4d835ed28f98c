import { type Kysely, sql } from "kysely";

/** Indexes with which the curators' queue is searched, and sorted by title. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const change of [
    sql`create index dataset_version_submission on dataset_version (submission_id)`,
    sql`create index submission_search_title on submission_search ((left(title, 200) collate "C"))`,
    // Words are added to the index at once. Otherwise each search reads those that were added last one by one, and the embedded
    // database never merges them in the background.
    sql`alter index submission_search_words set (fastupdate = off)`,
    sql`select gin_clean_pending_list('submission_search_words')`,
  ]) {
    await change.execute(db);
  }
}
