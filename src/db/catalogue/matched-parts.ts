import { sql } from "kysely";
import { MATCHED_PARTS, type MatchedPart } from "../../public/catalogue/entry.ts";
import type { Queries } from "../database.ts";
import { type CatalogueSearch, separateWords } from "./prepare-search.ts";
import type { FoundDataset } from "./search.ts";

/** The parts in which any word of the search text was found, by the `no` of found datasets. Empty without a search text. */
export async function matchedParts(
  db: Queries,
  { query }: CatalogueSearch,
  found: readonly FoundDataset[],
): Promise<Map<string, MatchedPart[]>> {
  if (query === null || found.length === 0) return new Map();
  const search = sql`${query}::tsquery`;
  // The weights are those with which `entries.ts` stores the words.
  const { rows } = await sql<Record<MatchedPart, boolean> & { no: string }>`
    select no::text, ts_filter(words, '{a}') @@ ${search} as title, ts_filter(words, '{b}') @@ ${search} as names,
      ts_filter(words, '{c}') @@ ${search} as metadata,
      coalesce(searches_files and file_words @@ ${separateWords(query)}::tsquery, false) as files
    from catalogue_entry join catalogue_search using (no) where no in (${sql.join(found.map(({ no }) => no))})`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.no, MATCHED_PARTS.filter((part) => row[part])]));
}
