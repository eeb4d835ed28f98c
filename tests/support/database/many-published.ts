import { sql } from "kysely";
import { followEntries } from "../../../src/db/catalogue/searched.ts";
import type { Database } from "../../../src/db/database.ts";

/** The id of a copy. */
export function copyId(n: number): string {
  return `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
}

/**
 * Copies the first version of a published dataset in the database, under other ids. Nothing is archived. The first copy
 * changed last, each of the others a second earlier.
 */
export async function copyPublished({ queries }: Database, dataset: string, copies: number): Promise<void> {
  const id = sql`('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid`;
  const submissionId = sql`('00000000-0000-4000-9000-' || lpad(n::text, 12, '0'))::uuid`;
  const copy = (table: string, key: string, values: ReturnType<typeof sql>) =>
    sql`insert into ${sql.table(table)} select copy.* from ${sql.table(table)} as one, generate_series(1, ${copies}::integer) as n,
      lateral jsonb_populate_record(one, jsonb_build_object(${values})) as copy where one.${sql.ref(key)} = ${dataset}`;
  await copy("dataset", "id", sql`'id', ${id}`).execute(queries);
  await copy("submission", "dataset_id", sql`'dataset_id', ${id}, 'id', ${submissionId}`).execute(queries);
  await copy("dataset_version", "dataset_id", sql`'dataset_id', ${id}, 'submission_id', ${submissionId}`).execute(
    queries,
  );
  await copy("publication", "dataset_id", sql`'dataset_id', ${id}`).execute(queries);
  await sql`insert into catalogue_entry (dataset_id, version, changed_at, visible, newest, access, embargo_date, published_at,
      revision, title, sort_title, summary, terms, heading, words, file_words)
    select ${id}, version, now() - n * interval '1 second', visible, newest, access, embargo_date, published_at,
      revision, title, sort_title, summary, terms, heading, words, file_words
    from catalogue_entry, generate_series(1, ${copies}::integer) as n where dataset_id = ${dataset} order by n`.execute(
    queries,
  );
  await followEntries(queries, sql`true`);
}
