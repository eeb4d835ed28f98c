import type { Facet } from "../../db/catalogue/kept-counts.ts";
import { matchedParts } from "../../db/catalogue/matched-parts.ts";
import type { CatalogueCursor, CatalogueSort } from "../../db/catalogue/order.ts";
import { prepareSearch } from "../../db/catalogue/prepare-search.ts";
import { type FoundDataset, findDatasets, matchingWords } from "../../db/catalogue/search.ts";
import { unmarked } from "../../describe/markup.ts";
import { fold } from "../../domain/submission/search.ts";
import type { MatchedPart } from "../../public/catalogue/entry.ts";
import type { HttpContext } from "../context.ts";
import { type CatalogueQuery, filterOf, sortOf } from "./query.ts";

/** Distinct words of a page that are compared with the query. */
const MOST_WORDS = 4_000;

export interface CatalogueResult {
  total: number;
  found: FoundDataset[];
  /** Empty unless they were asked for. */
  facets: Facet[];
  sort: CatalogueSort;
  /** Folded words of the found titles and descriptions that match the search text. */
  matches: ReadonlySet<string>;
  /** Where the search text was found, by the `no` of each found dataset. */
  matchedIn: ReadonlyMap<string, MatchedPart[]>;
}

/**
 * Searches the published datasets, of which each is found in its newest published version.
 * @param page.facets the maximum number of values of each kind; 0 for none
 */
export async function searchCatalogue(
  { db, counts }: Pick<HttpContext, "db" | "counts">,
  query: CatalogueQuery,
  page: { limit: number; offset?: number; after?: CatalogueCursor | undefined; facets: number },
): Promise<CatalogueResult> {
  const now = new Date();
  const filter = filterOf(query, now);
  const sort = sortOf(query);
  const search = await prepareSearch(db, filter);
  const { total, found: stored, facets } = await findDatasets(db, search, filter, { ...page, sort }, counts);
  const found = stored.map(withoutMarkup);
  const [matches, matchedIn] = await Promise.all([
    matchingWords(db, search, wordsOf(found)),
    matchedParts(db, search, found),
  ]);
  return { total, found, facets, sort, matches, matchedIn };
}

/** Entries of earlier versions have the markup of descriptions. */
function withoutMarkup(found: FoundDataset): FoundDataset {
  const { summary } = found;
  return { ...found, summary: { ...summary, description: unmarked(summary.description) } };
}

/** A text in parts, of which those that match the search text are marked. */
export function highlighted(text: string, matches: ReadonlySet<string>): { text: string; isMatch: boolean }[] {
  const parts: { text: string; isMatch: boolean }[] = [];
  for (const [word] of text.matchAll(WORDS_AND_OTHERS)) {
    const isMatch = matches.has(fold(word));
    const last = parts.at(-1);
    if (last !== undefined && last.isMatch === isMatch) last.text += word;
    else parts.push({ text: word, isMatch });
  }
  return parts;
}

const WORDS = /[\p{L}\p{N}\p{M}]+/gu;
const WORDS_AND_OTHERS = /[\p{L}\p{N}\p{M}]+|[^\p{L}\p{N}\p{M}]+/gu;

function wordsOf(found: readonly FoundDataset[]): string[] {
  const words = new Set<string>();
  for (const { title, summary } of found) {
    for (const text of [title, summary.description, ...summary.creators, ...summary.keywords]) {
      for (const [word] of text.matchAll(WORDS)) if (words.size < MOST_WORDS) words.add(fold(word));
    }
  }
  return [...words];
}
