import { type RawBuilder, sql } from "kysely";
import type { Queries } from "../database.ts";
import { accessAt, dayOf } from "./entry-access.ts";

/** Bytes of a `tsvector`. PostgreSQL refuses more than 1 MiB of words; the names of files of such a dataset are not searched. */
const MOST_BYTES = 1_000_000;

/** Repeats what a search may find of entries: names of files only while they are open. @param which a condition for the entries */
export async function updateFoundWords(db: Queries, which: RawBuilder<boolean>): Promise<void> {
  const open = sql`${accessAt(new Date())} = 'open'`;
  const fits = sql`pg_column_size(strip(words)) + pg_column_size(strip(file_words)) < ${sql.lit(MOST_BYTES)}`;
  await sql`update catalogue_entry set searches_files = ${open}, found_words =
    strip(words) || case when ${open} and ${fits} then strip(file_words) else '' end where ${which}`.execute(db);
}

/** Lets searches find the names of files whose embargo has ended. Nobody has to do anything for that, so it is looked for from time to time. */
export async function searchOpenedFiles(db: Queries): Promise<void> {
  await updateFoundWords(
    db,
    sql`access = 'embargoed' and embargo_date <= ${dayOf(new Date())} and not searches_files and visible`,
  );
}
