import { type RawBuilder, sql } from "kysely";
import type { AccessKind } from "../../../packages/rules/src/index.ts";
import type { TermKind } from "../../public/catalogue/entry.ts";
import { type QueryTerm, queryTermsOf, spellingOf } from "../../public/catalogue/query.ts";
import type { Queries } from "../database.ts";
import { type FoundQuery, foundQueryOf } from "./found-words.ts";
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
  /** Rows of `catalogue_search` that it finds, with any access. @param without a kind of which no value is chosen then */
  condition(without?: TermKind): RawBuilder<boolean>;
  /** Matches any of the terms; null without a term. */
  query: string | null;
  /** Whether texts are compared, which takes much longer than reading the index. */
  isCompared: boolean;
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
    isCompared: terms.some(({ query, isExcluded }) => foundQueryOf(query, isExcluded).isWider),
    query: wanted.length === 0 ? null : wanted.join(" | "),
    condition: (without) => {
      const all = [...found];
      for (const [kind, values] of ids)
        if (kind !== without) all.push(sql`terms && ${`{${values.join(",")}}`}::integer[]`);
      return all.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(all, sql` and `)}`;
    },
  };
}

/** Finds also the dataset that the search text identifies. Others are found that name it, for instance as a related work. */
function withDataset(found: RawBuilder<unknown>[], identified: string | undefined): RawBuilder<unknown>[] {
  if (identified === undefined || found.length === 0) return found;
  const no = sql`select no from catalogue_entry where dataset_id = ${identified}::uuid and visible and newest`;
  return [sql`(no = (${no}) or (${sql.join(found, sql` and `)}))`];
}

/** Matches each word of phrases. */
export function anyWordOf(query: string): string {
  return query.replace(FOLLOWED_BY, "|");
}

/** Matches all words of phrases, wherever they are. */
export function separateWords(query: string): string {
  return query.replace(FOLLOWED_BY, "&");
}

/** One condition for the index, and those of phrases of which the index does not decide alone. */
function foundCondition(terms: readonly CompiledTerm[]): RawBuilder<unknown>[] {
  const indexed: string[] = [];
  const compared: RawBuilder<unknown>[] = [];
  for (const { query, isExcluded } of terms) {
    const found = foundQueryOf(query, isExcluded);
    if (!isExcluded) indexed.push(`(${found.query})`);
    else if (!found.isWider) indexed.push(`!(${found.query})`);
    if (query.search(FOLLOWED_BY) < 0) continue;
    compared.push(isExcluded ? isWithout(query, found) : isWith(query, found));
  }
  return indexed.length === 0 ? compared : [sql`found_words @@ ${indexed.join(" & ")}::tsquery`, ...compared];
}

/** Compares a phrase that the index has found. */
function isWith(query: string, { isWider }: FoundQuery): RawBuilder<boolean> {
  // Names of files are stored as distinct words: a phrase is found if all its words are in names, of whatever files.
  const inFiles = sql`searches_files and coalesce(file_words @@ ${separateWords(query)}::tsquery, false)`;
  const matches = inEntry(sql`words @@ ${query}::tsquery or (${inFiles})`);
  return isWider ? matches : sql`(has_pairs or ${matches})`;
}

/** Compares a phrase that is not wanted in the metadata. That its words are in names of files is not enough to leave a dataset out. */
function isWithout(query: string, found: FoundQuery): RawBuilder<boolean> {
  const matches = inEntry(sql`words @@ ${query}::tsquery`);
  if (!found.isWider) return sql`(has_pairs or not ${matches})`;
  return sql`not (${matches} and (not has_pairs or found_words @@ ${found.query}::tsquery))`;
}

/** Reads the entry of each row. As a join, it could be read of all datasets. */
function inEntry(condition: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`(select ${condition} from catalogue_entry as entry where entry.no = catalogue_search.no)`;
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
