import { type RawBuilder, sql } from "kysely";
import type { AccessKind } from "../../../packages/rules/src/index.ts";
import type { TermKind } from "../../public/catalogue/entry.ts";
import { type QueryTerm, queryTermsOf, spellingOf } from "../../public/catalogue/query.ts";
import type { Queries } from "../database.ts";
import { identifiedDataset } from "./identified-dataset.ts";

/** What a search finds. Values of a kind are alternatives; different kinds must all apply. */
export interface CatalogueFilter {
  q: string;
  terms: Partial<Record<TermKind, readonly string[]>>;
  access: readonly AccessKind[];
  /** Access and embargoes are those of this moment. */
  now: Date;
}

/** A prepared search. */
export interface CatalogueSearch {
  /** Entries that it finds, with any access. @param without a kind of which no value is chosen then */
  condition(without?: TermKind): RawBuilder<boolean>;
  /** Matches any of the terms; null without a term. */
  query: string | null;
  /** Id of the dataset that the search text identifies. */
  identified: string | undefined;
}

/** Between words of a phrase in the text of a `tsquery`. */
const FOLLOWED_BY = /<(?:-|\d+)>/g;

/**
 * Prepares a search: words are found by their beginning, or by their stem in English and German. Words that carry no meaning
 * in English or German (“of”, “der”) are ignored beside others. A DOI or the id of a dataset finds that dataset.
 */
export async function prepareSearch(db: Queries, filter: CatalogueFilter): Promise<CatalogueSearch> {
  const terms = await compile(db, queryTermsOf(filter.q));
  const ids = await idsOf(db, filter.terms);
  const identified = await identifiedDataset(db, filter.q);
  const found = withDataset(foundCondition(terms), identified);
  const wanted = terms.filter(({ isExcluded }) => !isExcluded).map(({ query }) => `(${query})`);
  return {
    identified,
    query: wanted.length === 0 ? null : wanted.join(" | "),
    condition: (without) => {
      const all = [sql`visible and newest`, ...found];
      for (const [kind, values] of ids)
        if (kind !== without) all.push(sql`terms && ${`{${values.join(",")}}`}::integer[]`);
      return sql<boolean>`${sql.join(all, sql` and `)}`;
    },
  };
}

/** Finds also the dataset that the search text identifies. Others are found that name it, for instance as a related work. */
function withDataset(found: RawBuilder<unknown>[], identified: string | undefined): RawBuilder<unknown>[] {
  if (identified === undefined || found.length === 0) return found;
  return [sql`(dataset_id = ${identified}::uuid or (${sql.join(found, sql` and `)}))`];
}

/** Matches each word of phrases. */
export function anyWordOf(query: string): string {
  return query.replace(FOLLOWED_BY, "|");
}

/** Matches all words of phrases, wherever they are. */
export function separateWords(query: string): string {
  return query.replace(FOLLOWED_BY, "&");
}

/** One condition for the index, which has no positions, and those of phrases, which are compared with what the index finds. */
function foundCondition(terms: readonly CompiledTerm[]): RawBuilder<unknown>[] {
  const indexed: string[] = [];
  const compared: RawBuilder<unknown>[] = [];
  for (const { query, isExcluded } of terms) {
    const isPhrase = query.search(FOLLOWED_BY) >= 0;
    if (!isPhrase || !isExcluded) indexed.push(`${isExcluded ? "!" : ""}(${separateWords(query)})`);
    if (!isPhrase) continue;
    const isInMetadata = sql`words @@ ${query}::tsquery`;
    // Names of files are stored as distinct words: a phrase is found if all its words are in names, of whatever files. That is not
    // enough to leave a dataset out.
    const isInFiles = sql`(searches_files and coalesce(file_words @@ ${separateWords(query)}::tsquery, false))`;
    compared.push(isExcluded ? sql`not (${isInMetadata})` : sql`(${isInMetadata} or ${isInFiles})`);
  }
  return indexed.length === 0 ? compared : [sql`found_words @@ ${indexed.join(" & ")}::tsquery`, ...compared];
}

interface CompiledTerm {
  query: string;
  isExcluded: boolean;
}

/** The terms as text of `tsquery`, without those that consist of words without meaning, unless there are no others. */
async function compile(db: Queries, terms: readonly QueryTerm[]): Promise<CompiledTerm[]> {
  if (terms.length === 0) return [];
  const compiled = terms.map(({ words, isPrefix }) => {
    const text = words.join(" ");
    const last = isPrefix
      ? sql`to_tsquery('simple', ${`${words.join(" <-> ")}:*`})`
      : sql`phraseto_tsquery('simple', ${text})`;
    const spelling = words.length === 1 ? spellingOf(words[0] ?? "") : undefined;
    const spelled = spelling === undefined ? sql`` : sql` || to_tsquery('simple', ${spelling})`;
    const stems = ["english", "german"].map((language) => sql`phraseto_tsquery(${sql.lit(language)}, ${text})`);
    return sql`select (${last} || ${sql.join(stems, sql` || `)}${spelled})::text as query,
      ${sql.join(
        stems.map((stem) => sql`numnode(${stem}) > 0`),
        sql` and `,
      )} as "hasMeaning"`;
  });
  const { rows } = await sql<{ query: string; hasMeaning: boolean }>`${sql.join(compiled, sql` union all `)}`.execute(
    db,
  );
  const all = rows.map((row, index) => ({ ...row, isExcluded: terms[index]?.isExcluded ?? false }));
  const meant = all.filter(({ hasMeaning }) => hasMeaning);
  return meant.some(({ isExcluded }) => !isExcluded) ? meant : all;
}

/** The ids of chosen values by kind. A value that no dataset has makes its kind find nothing. */
async function idsOf(db: Queries, terms: CatalogueFilter["terms"]): Promise<[TermKind, number[]][]> {
  const chosen = Object.entries(terms).filter(([, values]) => values.length > 0) as [TermKind, readonly string[]][];
  if (chosen.length === 0) return [];
  const pairs = chosen.flatMap(([kind, values]) => values.map((value) => sql`(${kind}, md5(${value}))`));
  const { rows } = await sql<{ id: number; kind: TermKind }>`
    select id, kind from catalogue_term where (kind, md5(value)) in (${sql.join(pairs)})`.execute(db);
  return chosen.map(([kind]) => [kind, rows.filter((row) => row.kind === kind).map(({ id }) => id)]);
}
