import { type RawBuilder, sql } from "kysely";
import { Problem } from "../../domain/problems.ts";
import type { DeletionVerdict } from "../../domain/submission/archive-events.ts";
import type { Status } from "../../domain/submission/states.ts";
import type { SubmissionSummary } from "../../domain/submission/summary.ts";
import type { Queries } from "../database.ts";
import { searchSubmissions } from "./search.ts";
import type { SubmissionRow } from "./submissions.ts";

/** Columns of an entry with a bounded size. */
const COMMON = [
  ...(["id", "owner", "status", "attempt", "created_at", "updated_at", "finished_at"] as const),
  ...(["dataset_id", "dataset_version", "transfer_started_at", "transfer_started_bytes"] as const),
  ...(["source_heard_at", "source_silent_since"] as const),
  ...(["listing_complete", "objects_listed", "bytes_listed", "objects_stored", "bytes_stored"] as const),
  ...(["objects_failed", "objects_excluded", "bytes_excluded"] as const),
] satisfies (keyof SubmissionRow)[];
export type CommonColumn = (typeof COMMON)[number];

/** The state of a submission, and the number of its last event. */
export type SubmissionState = Pick<SubmissionRow, CommonColumn | "last_event">;

/** The states of those of these submissions that exist. Their size does not grow with metadata or objects. */
export async function submissionStates(db: Queries, ids: readonly string[]): Promise<SubmissionState[]> {
  return db
    .selectFrom("submission")
    .select([...COMMON, "last_event"])
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();
}
const SOURCE = ["endpoint", "region", "bucket", "waiting", "failure", "drift_total"] as const;

const COLUMNS_OF_ENTRY = [...COMMON, ...SOURCE, "summary" as const].map((name) => `submission.${name}` as const);

/** A submission as a list entry. Its size does not grow with the metadata or with the number of objects. */
export type EntryRow = Pick<SubmissionRow, CommonColumn | (typeof SOURCE)[number]> & {
  /** The beginning of the title. */
  title: string;
  summary: SubmissionSummary;
  /** The first differences. */
  drift: { key: string; change: "changed" | "vanished" | "appeared" }[];
  /** With the beginning of the statement. */
  verdict: DeletionVerdict | null;
};

/** Maximum characters read from a text: more than a list shows. */
const LONGEST = 1_000;
/** Maximum number of differences in an entry. */
const MOST_DRIFT = 3;

/** A sort order, and the position of an entry in it. */
interface Column {
  expression: RawBuilder<unknown>;
  placeOf: (row: EntryRow) => string;
  /** Converts a position to the expression's type; undefined if it is not valid. */
  bind: (place: string) => RawBuilder<unknown> | undefined;
}

/** Maximum code points of a title that are compared: as many as a list shows, and short enough for a cursor. */
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

/** The sort orders; with `-` in descending order. */
export const SORTS = (Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]).flatMap((by) => [by, `-${by}`] as const);
export type Sort = (typeof SORTS)[number];

/** The entry after which a list continues. */
export interface ListPosition {
  sort: Sort;
  id: string;
  place: string;
}

interface ListFilter {
  /** Undefined for all owners. */
  owner: string | undefined;
  status?: Status | undefined;
  /** Part of the title, or prefixes of words of title, description, authors and subjects. */
  q?: string | undefined;
  /** Only submissions that changed after this time. */
  updatedAfter?: Date | undefined;
  sort: Sort;
  limit: number;
  after?: ListPosition | undefined;
}

/**
 * Submissions in the requested order, after the position.
 *
 * @throws Problem `bad_request` for a position that is not valid in this order
 */
export async function listSubmissions(db: Queries, filter: ListFilter): Promise<EntryRow[]> {
  const { owner, status, q, updatedAfter, sort, after } = filter;
  const { expression, bind } = columnOf(sort);
  const direction = sort.startsWith("-") ? "desc" : "asc";
  // Only the ids are sorted, because the rest of a row is wide.
  let query = db.selectFrom("submission").select("id");
  if (owner !== undefined) query = query.where("owner", "=", owner);
  if (status !== undefined) query = query.where("status", "=", status);
  if (updatedAfter !== undefined) query = query.where("updated_at", ">", updatedAfter);
  if (q !== undefined) query = query.where(sql<boolean>`id in (${searchSubmissions(q, owner)})`);
  if (after !== undefined) {
    const bound = after.sort === sort ? bind(after.place) : undefined;
    if (bound === undefined)
      throw new Problem("bad_request", "The cursor does not belong to a list with this sort order");
    const beyond = sql.raw(direction === "desc" ? "<" : ">");
    query = query.where(sql<boolean>`(${expression}, id) ${beyond} (${bound}, ${after.id}::uuid)`);
  }
  query = query.orderBy(expression, direction).orderBy("id", direction).limit(filter.limit);
  return db
    .selectFrom(query.as("found"))
    .innerJoin("submission", "submission.id", "found.id")
    .select(COLUMNS_OF_ENTRY)
    .select([
      sql<string>`left(title, ${sql.lit(LONGEST)})`.as("title"),
      sql<EntryRow["verdict"]>`case when verdict is not null then jsonb_build_object(
        'sourceMayBeDeleted', verdict -> 'sourceMayBeDeleted',
        'statement', left(verdict ->> 'statement', ${sql.lit(LONGEST)})) end`.as("verdict"),
      sql<EntryRow["drift"]>`case when drift_total = 0 then '[]' else coalesce((select json_agg(one)
        from (select one from json_array_elements(drift) as one limit ${sql.lit(MOST_DRIFT)}) as first), '[]') end`.as(
        "drift",
      ),
    ])
    .orderBy(expression, direction)
    .orderBy("submission.id", direction)
    .execute() as Promise<EntryRow[]>;
}

/** The position of an entry in a list with this sort order. */
export function positionOf(row: EntryRow, sort: Sort): ListPosition {
  return { sort, id: row.id, place: columnOf(sort).placeOf(row) };
}

function columnOf(sort: Sort): Column {
  return COLUMNS[sort.replace(/^-/, "") as keyof typeof COLUMNS];
}

/** Whether the text is a time as written into cursors. JavaScript accepts the 30th of February; PostgreSQL does not. */
export function isTime(text: string): boolean {
  if (!/^[12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)) return false;
  const time = new Date(text);
  return !Number.isNaN(time.getTime()) && time.toISOString() === text;
}
