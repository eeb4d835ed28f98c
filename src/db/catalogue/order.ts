import { type RawBuilder, sql } from "kysely";
import { Problem } from "../../domain/problems.ts";

export const CATALOGUE_SORTS = ["relevance", "newest", "oldest", "title"] as const;
export type CatalogueSort = (typeof CATALOGUE_SORTS)[number];

/** Position in a sorted list. */
export interface CatalogueCursor {
  place: string;
  no: string;
}

/** With more matches than this, only titles, names and keywords decide the relevance. */
const MOST_RANKED_BY_ALL = 500;
const LONGEST_TITLE = 400;

/** The order of a list: a column or expression that is compared together with the number of the entry. */
export interface CatalogueOrder {
  place: RawBuilder<unknown>;
  /** A column of the entry by which the list is sorted, or by which the entries to be ranked are chosen. */
  key: RawBuilder<unknown>;
  /** Whether the place is the relevance. */
  isRank: boolean;
  direction: "asc" | "desc";
  /** Converts a position to the type of the expression; undefined if it is not valid. */
  bind: (place: string) => RawBuilder<unknown> | undefined;
}

/**
 * @param search.query the compiled search text; null without one: then the newest entries are the most relevant
 * @param search.identified the dataset that the text identifies, which comes first
 */
export function orderOf(
  { query, identified }: { query: string | null; identified: string | undefined },
  sort: CatalogueSort,
): CatalogueOrder {
  const byKey = { place: sql`key`, isRank: false };
  if (sort === "title") return { ...byKey, key: sql`sort_title`, direction: "asc", bind: title };
  const key = sql`published_at`;
  if (sort !== "relevance" || query === null) {
    return { ...byKey, key, direction: sort === "oldest" ? "asc" : "desc", bind: time };
  }
  const compared = sql`case when (select number from size) > ${sql.lit(MOST_RANKED_BY_ALL)} then heading else words end`;
  const first = identified === undefined ? sql`` : sql` + (dataset_id = ${identified}::uuid)::integer::real`;
  return {
    place: sql`(ts_rank(${compared}, ${query}::tsquery)${first})`,
    key,
    isRank: true,
    direction: "desc",
    bind: rank,
  };
}

/** The entries after a position. @throws Problem `bad_request` for a position that is not one of this order */
export function beyondCursor({ direction, bind }: CatalogueOrder, after: CatalogueCursor): RawBuilder<boolean> {
  const bound = bind(after.place);
  if (bound === undefined || !/^\d{1,18}$/.test(after.no)) {
    throw new Problem("bad_request", "The cursor does not belong to a list with this sort order");
  }
  return sql<boolean>`(place, no) ${direction === "desc" ? sql`<` : sql`>`} (${bound}, ${after.no}::bigint)`;
}

function title(place: string): RawBuilder<unknown> | undefined {
  return place.length <= LONGEST_TITLE && !place.includes("\0") ? sql`${place}::text` : undefined;
}

/** A time as the database writes it, in the time zone of all sessions. It refuses days and hours that do not exist. */
function time(place: string): RawBuilder<unknown> | undefined {
  const [, day, clock] = /^([1-9]\d{3}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.\d{1,6})?\+00$/.exec(place) ?? [];
  const stated = new Date(`${day}T${clock}Z`);
  const exists = !Number.isNaN(stated.getTime()) && stated.toISOString() === `${day}T${clock}.000Z`;
  return exists ? sql`${place}::timestamptz` : undefined;
}

/** A number of single precision. The database refuses numbers that are too small for it. */
function rank(place: string): RawBuilder<unknown> | undefined {
  if (!/^\d(?:\.\d{1,20})?(?:e-\d{1,2})?$/.test(place)) return undefined;
  return Number(place) === 0 || Math.fround(Number(place)) > 0 ? sql`${place}::real` : undefined;
}
