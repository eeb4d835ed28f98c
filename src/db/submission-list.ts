import { type RawBuilder, sql } from "kysely";
import { Problem } from "../submission/problems.ts";
import type { Status } from "../submission/states.ts";
import type { Queries } from "./open.ts";
import type { SubmissionRow } from "./submissions.ts";

/** What a list can be sorted by, and where each entry has its place in it. */
interface Column {
  expression: RawBuilder<unknown>;
  placeOf: (row: SubmissionRow) => string;
  /** The place in the expression's type; undefined for what is none. */
  bind: (place: string) => RawBuilder<unknown> | undefined;
}

/** Code points of a title that are compared: what a list shows, and short enough for a cursor. */
const TITLE_LENGTH = 100;

const count = (place: string) => (/^\d{1,18}$/.test(place) ? sql`${place}::bigint` : undefined);
const time = (place: string) => (isTime(place) ? sql`${place}::timestamptz` : undefined);

const COLUMNS = {
  created: { expression: sql`created_at`, placeOf: (row) => row.created_at.toISOString(), bind: time },
  updated: { expression: sql`updated_at`, placeOf: (row) => row.updated_at.toISOString(), bind: time },
  title: {
    expression: sql`lower(left(title, ${sql.lit(TITLE_LENGTH)}))`,
    placeOf: (row) => [...row.title].slice(0, TITLE_LENGTH).join(""),
    bind: (place) => (place.includes("\0") ? undefined : sql`lower(${place})`),
  },
  bytes: { expression: sql`bytes_listed`, placeOf: (row) => String(row.bytes_listed), bind: count },
  objects: { expression: sql`objects_listed`, placeOf: (row) => String(row.objects_listed), bind: count },
} satisfies Record<string, Column>;

/** How a list can be sorted; with `-` the greatest first. */
export const SORTS = (Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]).flatMap((by) => [by, `-${by}`] as const);
export type Sort = (typeof SORTS)[number];

/** After which entry a list goes on. */
export interface Place {
  sort: Sort;
  id: string;
  place: string;
}

export interface ListFilter {
  /** Undefined for everybody's. */
  owner: string | undefined;
  status?: Status | undefined;
  /** Part of the title, in any case. */
  q?: string | undefined;
  sort: Sort;
  limit: number;
  after?: Place | undefined;
}

/**
 * In the order asked for, after the place.
 *
 * @throws Problem `bad_request` for a place that this order does not have
 */
export async function listSubmissions(db: Queries, filter: ListFilter): Promise<SubmissionRow[]> {
  const { owner, status, q, sort, after } = filter;
  const { expression, bind } = columnOf(sort);
  const direction = sort.startsWith("-") ? "desc" : "asc";
  let query = db.selectFrom("submission").selectAll();
  if (owner !== undefined) query = query.where("owner", "=", owner);
  if (status !== undefined) query = query.where("status", "=", status);
  if (q !== undefined) query = query.where(sql`position(lower(${q}) in lower(title))`, ">", 0);
  if (after !== undefined) {
    const bound = after.sort === sort ? bind(after.place) : undefined;
    if (bound === undefined)
      throw new Problem("bad_request", "This cursor is not one of a list that is sorted like this");
    const beyond = sql.raw(direction === "desc" ? "<" : ">");
    query = query.where(sql<boolean>`(${expression}, id) ${beyond} (${bound}, ${after.id}::uuid)`);
  }
  return query.orderBy(expression, direction).orderBy("id", direction).limit(filter.limit).execute();
}

/** Where the entry stands in a list that is sorted like this. */
export function placeOf(row: SubmissionRow, sort: Sort): Place {
  return { sort, id: row.id, place: columnOf(sort).placeOf(row) };
}

function columnOf(sort: Sort): Column {
  return COLUMNS[sort.replace(/^-/, "") as keyof typeof COLUMNS];
}

function isTime(text: string): boolean {
  return /^[12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) && !Number.isNaN(new Date(text).getTime());
}
