import { type RawBuilder, sql } from "kysely";
import type { AccessKind } from "../../../packages/rules/src/index.ts";
import type { CatalogueSummary, TermKind } from "../../public/catalogue/entry.ts";
import { type QueryTerm, queryTermsOf, spellingOf } from "../../public/catalogue/query.ts";
import type { Queries } from "../database.ts";
import { beyondCursor, type CatalogueCursor, type CatalogueSort, orderOf } from "./order.ts";

/** What a search finds. Values of a kind are alternatives; different kinds must all apply. */
export interface CatalogueFilter {
  q: string;
  terms: Partial<Record<TermKind, readonly string[]>>;
  access: readonly AccessKind[];
  /** Access and embargoes are those of this moment. */
  now: Date;
}

/** A found dataset, with its newest published version. */
export interface FoundDataset {
  no: string;
  dataset_id: string;
  version: number;
  title: string;
  summary: CatalogueSummary;
  /** According to the clock: an embargo that has ended is open. */
  access: AccessKind;
  embargo_date: string | null;
  published_at: Date;
  changed_at: Date;
  /** The place in the order, for the cursor. */
  place: string;
}

/** A value with the number of found datasets that have it. */
export interface Facet {
  kind: TermKind | "access";
  value: string;
  label: string;
  datasets: number;
}

/** Maximum number of matches that are sorted by relevance; of more, the newest. */
const MOST_RANKED = 5_000;

/** A prepared search. */
export interface CatalogueSearch {
  condition(without?: TermKind | "access"): RawBuilder<boolean>;
  /** Matches any of the terms; null without a term. */
  query: string | null;
}

/**
 * Prepares a search: words are found by their beginning, or by their stem in English and German. Words that carry no meaning
 * in English or German (“of”, “der”) are ignored beside others.
 */
export async function prepareSearch(db: Queries, filter: CatalogueFilter): Promise<CatalogueSearch> {
  const terms = await compile(db, queryTermsOf(filter.q));
  const ids = await idsOf(db, filter.terms);
  const open = isOpenAt(filter.now);
  const texts = terms.map(({ query, isExcluded }) => {
    const matches = sql`(words @@ ${query}::tsquery or (file_words @@ ${query}::tsquery and ${open}))`;
    return isExcluded ? sql`not coalesce(${matches}, false)` : matches;
  });
  const wanted = terms.filter(({ isExcluded }) => !isExcluded).map(({ query }) => `(${query})`);
  return {
    query: wanted.length === 0 ? null : wanted.join(" | "),
    condition: (without) => {
      const all = [sql`visible and newest`, ...texts];
      for (const [kind, found] of ids)
        if (kind !== without) all.push(sql`terms && ${`{${found.join(",")}}`}::integer[]`);
      if (filter.access.length > 0 && without !== "access") {
        all.push(sql`${accessAt(filter.now)} in (${sql.join(filter.access)})`);
      }
      return sql<boolean>`${sql.join(all, sql` and `)}`;
    },
  };
}

/** Number of datasets that a search finds. */
export async function countFound(db: Queries, search: CatalogueSearch): Promise<number> {
  const { rows } = await sql<{ number: number }>`
    select count(*)::integer as number from catalogue_entry where ${search.condition()}`.execute(db);
  return rows[0]?.number ?? 0;
}

/** The found datasets in order, from a position on. @throws Problem `bad_request` for a position that is not one of this order */
export async function findDatasets(
  db: Queries,
  search: CatalogueSearch,
  page: {
    sort: CatalogueSort;
    limit: number;
    offset?: number;
    after?: CatalogueCursor | undefined;
    total: number;
    now: Date;
  },
): Promise<FoundDataset[]> {
  const { limit, offset = 0, after, now } = page;
  const order = orderOf(search.query, page);
  const { place, direction } = order;
  const down = direction === "desc" ? sql`desc` : sql`asc`;
  const from =
    page.sort === "relevance" && search.query !== null
      ? sql`(select * from catalogue_entry where ${search.condition()} order by published_at desc limit ${sql.lit(MOST_RANKED)}) as one`
      : sql`catalogue_entry as one`;
  const start = after === undefined ? sql`` : sql` and ${beyondCursor(order, after)}`;
  // Only keys are sorted, because the rest of a row is wide.
  const { rows } = await sql<FoundDataset>`
    with found as materialized (
      select no, ${place} as place from ${from} where ${search.condition()}${start}
      order by place ${down}, no ${down} limit ${limit} offset ${offset}
    )
    select entry.no, entry.dataset_id, entry.version, entry.title, entry.summary, ${accessAt(now)} as access,
      entry.embargo_date, entry.published_at, entry.changed_at, found.place::text as place
    from found join catalogue_entry as entry on entry.no = found.no
    order by found.place ${down}, found.no ${down}`.execute(db);
  return rows;
}

/** How many of the found datasets have each value: the most frequent values of each kind. */
export async function facetsOf(
  db: Queries,
  search: CatalogueSearch,
  { filter, most }: { filter: CatalogueFilter; most: number },
): Promise<Facet[]> {
  const chosen = Object.entries(filter.terms).flatMap(([kind, values]) =>
    values.length > 0 ? [kind as TermKind] : [],
  );
  const [all, access, ...own] = await Promise.all([
    termFacets(db, search.condition(), { most, without: chosen }),
    accessFacets(db, search.condition("access"), filter.now),
    // The other values of a kind are alternatives to the chosen ones.
    ...chosen.map((kind) => termFacets(db, search.condition(kind), { most, only: kind })),
  ]);
  return [...access, ...all, ...own.flat()];
}

/** The given words that a search finds in texts. */
export async function matchingWords(
  db: Queries,
  search: CatalogueSearch,
  words: readonly string[],
): Promise<Set<string>> {
  if (search.query === null || words.length === 0) return new Set();
  const { rows } = await sql<{ word: string }>`
    select word from unnest(${words}::text[]) as word where
      (to_tsvector('simple', word) || to_tsvector('english', word) || to_tsvector('german', word)) @@ ${anyWordOf(search.query)}::tsquery`.execute(
    db,
  );
  return new Set(rows.map(({ word }) => word));
}

/** Phrases match each of their words. */
function anyWordOf(query: string): string {
  return query.replace(/<(?:-|\d+)>/g, "|");
}

async function termFacets(
  db: Queries,
  condition: RawBuilder<boolean>,
  { most, only, without = [] }: { most: number; only?: TermKind; without?: readonly TermKind[] },
): Promise<Facet[]> {
  const kinds = [
    ...(only === undefined ? [] : [sql`kind = ${only}`]),
    ...(without.length === 0 ? [] : [sql`kind not in (${sql.join(without)})`]),
  ];
  const restriction = kinds.length === 0 ? sql`` : sql`where ${sql.join(kinds, sql` and `)}`;
  const { rows } = await sql<Facet>`
    with counted as materialized (
      select term, count(*)::integer as datasets from (
        select unnest(terms) as term from catalogue_entry where ${condition}) as each group by term
    ), ranked as (
      select kind, value, label, datasets, row_number() over (partition by kind order by datasets desc, label) as rank
      from counted join catalogue_term on catalogue_term.id = counted.term ${restriction}
    )
    select kind, value, label, datasets from ranked where rank <= ${most} order by kind, rank`.execute(db);
  return rows;
}

async function accessFacets(db: Queries, condition: RawBuilder<boolean>, now: Date): Promise<Facet[]> {
  const { rows } = await sql<Facet>`
    select 'access' as kind, value, value as label, count(*)::integer as datasets from (
      select ${accessAt(now)} as value from catalogue_entry where ${condition}) as each
    group by value order by datasets desc, value`.execute(db);
  return rows;
}

/** Whether the files of an entry are open: the same rule as `isOpen` in publication/rules/access.ts. */
export function isOpenAt(now: Date): RawBuilder<boolean> {
  const today = now.toISOString().slice(0, 10);
  return sql`(access = 'open' or (access = 'embargoed' and embargo_date <= ${today}))`;
}

function accessAt(now: Date): RawBuilder<AccessKind> {
  return sql`case when ${isOpenAt(now)} then 'open' else access end`;
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
