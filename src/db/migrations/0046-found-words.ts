import { type Kysely, sql } from "kysely";

/**
 * One index finds everything that a search may find of a published dataset now: words of its metadata, and of file names while
 * the files are open. Long texts are stored apart from the rows, so that many rows are read fast.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await statement.execute(db);
}

const STATEMENTS = [
  sql`alter table catalogue_entry
    add column searches_files boolean not null default false, add column found_words tsvector not null default ''`,
  sql`alter table catalogue_entry set (toast_tuple_target = 128)`,
  sql`alter table catalogue_entry alter column terms set storage main,
    alter column heading set storage main, alter column sort_title set storage main`,
  // The expression for `words` writes the long texts of the rows again.
  sql`update catalogue_entry set searches_files = (access = 'open'), words = words || ''::tsvector, found_words =
    strip(words) || case when access = 'open' and pg_column_size(strip(words)) + pg_column_size(strip(file_words)) < 1000000
      then strip(file_words) else '' end`,
  sql`drop index catalogue_entry_words`,
  sql`drop index catalogue_entry_file_words`,
  // Without a list of pending entries, which each search would read.
  sql`create index catalogue_entry_found on catalogue_entry using gin (found_words) with (fastupdate = off)
    where visible and newest`,
];
