import { type RawBuilder, sql } from "kysely";
import type { Queries } from "../database.ts";
import { lockDataset } from "../datasets/datasets.ts";
import { dayOf, publishedAccessAt } from "./entry-access.ts";
import { foundWordsOf } from "./found-words.ts";

/*
 * The searched columns are apart from the entries: a search for a frequent word reads most of the rows, which are therefore small. There
 * is a row for each published dataset, that of its newest published version.
 */

/**
 * Repeats for searches what has changed in the entries of datasets. Names of files are found only while they are open.
 * The caller holds the lock of the datasets.
 * @param which a condition for entries: all of the datasets
 */
export async function followEntries(db: Queries, which: RawBuilder<boolean>): Promise<void> {
  await sql`delete from catalogue_search where no in (
    select no from catalogue_entry where (${which}) and not (visible and newest))`.execute(db);
  const open = sql<boolean>`${publishedAccessAt(new Date())} = 'open'`;
  await sql`
    insert into catalogue_search (no, published_at, sort_title, access, embargo_date, terms, searches_files, has_pairs, found_words)
    ${foundWordsOf(open, sql`(${which}) and visible and newest`)}
    on conflict (no) do update set published_at = excluded.published_at, sort_title = excluded.sort_title,
      access = excluded.access, embargo_date = excluded.embargo_date, terms = excluded.terms,
      searches_files = excluded.searches_files, has_pairs = excluded.has_pairs, found_words = excluded.found_words`.execute(
    db,
  );
}

/** Repeats for searches only the terms of the entries of datasets. */
export async function followTerms(db: Queries, datasets: readonly string[]): Promise<void> {
  await sql`update catalogue_search set terms = entry.terms from catalogue_entry as entry
    where entry.no = catalogue_search.no and entry.dataset_id = any(${datasets}::uuid[])
      and entry.terms <> catalogue_search.terms`.execute(db);
}

/** Lets searches find the names of files whose embargo has ended. Nobody has to do anything for that, so it is looked for from time to time. */
export async function searchOpenedFiles(db: Queries): Promise<void> {
  const { rows } = await sql<{ dataset: string }>`
    select dataset_id as dataset from catalogue_search join catalogue_entry using (no)
    where catalogue_search.access = 'embargoed' and catalogue_search.embargo_date <= ${dayOf(new Date())}
      and not searches_files`.execute(db);
  for (const { dataset } of rows) {
    await db.transaction().execute(async (trx) => {
      // A curator could close the files again meanwhile.
      await lockDataset(trx, dataset);
      await followEntries(trx, sql`dataset_id = ${dataset}`);
    });
  }
}
