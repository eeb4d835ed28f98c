import { type RawBuilder, sql } from "kysely";
import type { AccessKind } from "../../../packages/rules/src/index.ts";
import type { CatalogueSummary, TermKind } from "../../public/catalogue/entry.ts";
import type { Queries } from "../database.ts";
import type { Trx } from "../submissions/submissions.ts";
import { dayOf, publishedAccessAt } from "./entry-access.ts";
import type { Counts, Facet, KeptCounts } from "./kept-counts.ts";
import { beyondCursor, type CatalogueCursor, type CatalogueSort, orderOf } from "./order.ts";
import { anyWordOf, type CatalogueFilter, type CatalogueSearch } from "./prepare-search.ts";

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

/** A page of found datasets. */
export interface CataloguePage {
  sort: CatalogueSort;
  limit: number;
  offset?: number;
  after?: CatalogueCursor | undefined;
  /** Maximum number of values of each kind; 0 for none. */
  facets: number;
}

export interface CatalogueFound {
  /** Number of datasets that the search finds. */
  total: number;
  found: FoundDataset[];
  /** The most frequent values of each kind: of a kind with chosen values, as if none were chosen. */
  facets: Facet[];
}

/** Maximum number of matches that are sorted by relevance; of more, the newest. */
const MOST_RANKED = 5_000;
/** At least this number of datasets is counted by value. Of twice as many, every second, and so on. */
const LEAST_COUNTED = 5_000;
/** A number that is estimated from fewer datasets says nothing. */
const LEAST_ESTIMATED = 3;
/** Memory for the found entries (`work_mem`): some 100 bytes for each. */
const MEMORY = "32MB";

/**
 * Finds a page of datasets, and counts all that are found by their values.
 * @param kept numbers of earlier searches
 * @throws Problem `bad_request` for a position of another order
 */
export async function findDatasets(
  db: Queries,
  search: CatalogueSearch,
  filter: CatalogueFilter,
  page: CataloguePage,
  kept: KeptCounts,
): Promise<CatalogueFound> {
  const { q, terms, access, now } = filter;
  const name = JSON.stringify([q, terms, access, dayOf(now), page.facets]);
  return db.transaction().execute(async (trx) => {
    const revision = await prepareSession(trx, filter);
    const known = kept.find(name, revision);
    const { rows } = await pageStatement(search, filter, page, known).execute(trx);
    const [row = { access: [], facets: [], datasets: [] }] = rows;
    const counts = known ?? row;
    if (known === undefined) {
      for (const kind of page.facets === 0 ? [] : chosenKinds(filter))
        counts.facets.push(...(await countOthers(trx, search, filter, { kind, most: page.facets })));
      kept.keep(name, revision, { access: counts.access, facets: counts.facets });
    }
    return {
      total: totalOf(filter, counts),
      found: row.datasets.map(withTimes),
      facets: page.facets === 0 ? [] : [...counts.access, ...counts.facets],
    };
  });
}

/** Prepares a transaction for a search. Returns a text that changes when the catalogue changes. */
async function prepareSession(trx: Trx, { q }: CatalogueFilter): Promise<string | null> {
  // The planner does not know that reading the words of all rows is much slower than the index, which alone decides. Compiling a
  // statement, or starting processes for it, takes longer than executing it. Reading 5,000 rows by their numbers is faster than reading a
  // whole table, which the planner prefers as long as it expects a disk that turns.
  const { rows } = await sql<{ revision: string | null }>`
    select set_config('work_mem', ${MEMORY}, true), set_config('enable_seqscan', ${q === "" ? "on" : "off"}, true),
      set_config('random_page_cost', '1.1', true), set_config('jit', 'off', true),
      set_config('max_parallel_workers_per_gather', '0', true),
      (select max(changed_at)::text from catalogue_entry) as revision`.execute(trx);
  return rows[0]?.revision ?? null;
}

function totalOf(filter: CatalogueFilter, { access }: Counts): number {
  const wanted = access.filter(({ value }) => isChosen(filter, value));
  return wanted.reduce((sum, one) => sum + one.datasets, 0);
}

/** The statement of a page. It counts only what is not known. */
function pageStatement(
  search: CatalogueSearch,
  filter: CatalogueFilter,
  page: CataloguePage,
  known: Counts | undefined,
) {
  const { limit, offset = 0, after } = page;
  const order = orderOf(search, page.sort);
  const down = order.direction === "desc" ? sql`desc` : sql`asc`;
  const start = after === undefined ? sql`` : sql`where ${beyondCursor(order, after)}`;
  const chosen = chosenKinds(filter);
  const kinds = chosen.length === 0 ? sql`` : sql`where kind not in (${sql.join(chosen)})`;
  const byAccess =
    known === undefined
      ? sql`select access, count(*)::integer as datasets from matched group by access`
      : sql`select null::text as access, 0 as datasets where false`;
  const size =
    known === undefined
      ? sql`select coalesce(sum(datasets), 0)::integer as number from by_access where ${accessIn(filter)}`
      : sql`select ${totalOf(filter, known)}::integer as number`;
  return sql<{ access: Facet[]; facets: Facet[]; datasets: Stored[] }>`
    with ${matched(search, filter, order.key)},
    by_access as materialized (${byAccess}),
    wanted as not materialized (select * from matched where ${accessIn(filter)}),
    size as materialized (${size}),
    ranked as (${order.isRank ? sql`select * from wanted order by key desc limit ${sql.lit(MOST_RANKED)}` : sql`select * from wanted`}),
    placed as (select no, ${order.place} as place from ranked ${order.isRank ? sql`join catalogue_entry using (no)` : sql``}),
    found as materialized (
      select no, place from placed ${start} order by place ${down}, no ${down} limit ${limit} offset ${offset}
    ),
    ${counted(kinds, known === undefined ? page.facets : 0)}
    select (select ${listOf(sql`one`)} from (
        select 'access' as kind, access as value, access as label, datasets, false as "isEstimated"
        from by_access order by datasets desc, access) as one) as access,
      (select ${listOf(sql`counted`)} from counted) as facets,
      (select ${listOf(sql`one`)} from (
        select found.no::text, dataset_id, version, title, summary, ${publishedAccessAt(filter.now)} as access, embargo_date,
          published_at, changed_at, found.place::text as place
        from found join catalogue_entry on catalogue_entry.no = found.no and visible
        order by found.place ${down}, found.no ${down}) as one) as datasets`;
}

/** The values of a kind with chosen values, as alternatives to them. */
async function countOthers(
  db: Queries,
  search: CatalogueSearch,
  filter: CatalogueFilter,
  { kind, most }: { kind: TermKind; most: number },
): Promise<Facet[]> {
  const { rows } = await sql<Facet>`
    with ${matched(search, filter, sql`no`, kind)},
    wanted as not materialized (select * from matched where ${accessIn(filter)}),
    size as materialized (select count(*) as number from wanted),
    ${counted(sql`where kind = ${kind}`, most)}
    select * from counted`.execute(db);
  return rows;
}

/**
 * What matches with any access, and by what it is sorted. It is found again for each use, which is faster than keeping it, unless texts
 * must be compared.
 */
function matched(search: CatalogueSearch, { now }: CatalogueFilter, key: RawBuilder<unknown>, without?: TermKind) {
  return sql`matched as ${search.isCompared ? sql`` : sql`not`} materialized (
    select no, ${publishedAccessAt(now)} as access, ${key} as key, terms
    from catalogue_search where ${search.condition(without)})`;
}

/** The most frequent values of each kind in `wanted`. */
function counted(kinds: RawBuilder<unknown>, most: number) {
  if (most === 0) return sql`counted as (select 1 where false)`;
  return sql`
    share as materialized (select greatest(1, number / ${sql.lit(LEAST_COUNTED)}) as every from size),
    by_term as materialized (
      select term, count(*)::integer as datasets from (
        select unnest(terms) as term from wanted where no % (select every from share) = 0) as each
      group by term having count(*) >= ${sql.lit(LEAST_ESTIMATED)} or (select every from share) = 1
    ),
    by_rank as (
      select kind, value, label, datasets, row_number() over (partition by kind order by datasets desc, label collate "C") as rank
      from by_term join catalogue_term on catalogue_term.id = by_term.term ${kinds}
    ),
    counted as (
      select kind, value, label, (datasets * every)::integer as datasets, every > 1 as "isEstimated"
      from by_rank, share where rank <= ${most} order by kind, rank
    )`;
}

function listOf(row: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`coalesce(json_agg(${row}), '[]')`;
}

function accessIn({ access }: CatalogueFilter): RawBuilder<boolean> {
  return access.length === 0 ? sql`true` : sql`access in (${sql.join(access)})`;
}

function isChosen({ access }: CatalogueFilter, value: string): boolean {
  return access.length === 0 || access.some((one) => one === value);
}

function chosenKinds({ terms }: CatalogueFilter): TermKind[] {
  return Object.entries(terms).flatMap(([kind, values]) => (values.length > 0 ? [kind as TermKind] : []));
}

/** A row as JSON. */
type Stored = Omit<FoundDataset, "published_at" | "changed_at"> & Record<"published_at" | "changed_at", string>;

function withTimes({ published_at, changed_at, ...row }: Stored): FoundDataset {
  return { ...row, published_at: new Date(published_at), changed_at: new Date(changed_at) };
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
