import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { PublicationQueue } from "../../../packages/rules/src/index.ts";
import { PUBLICATION_ACTIONS, type PublicationState } from "../../publication/rules/states.ts";
import type { Queries } from "../database.ts";
import { isTime } from "../submissions/list.ts";
import { curatorNames, type SignInMethod } from "./curators.ts";
import type { PublicationRow } from "./publications.ts";
import { isAnswerable, isInQueue, OPEN_REQUESTS } from "./queues.ts";
import { publicationSearch } from "./search.ts";

export type PublicationListRow = PublicationRow & {
  owner: string;
  title: string;
  /** The folded beginning of the title, by which the list is sorted. */
  sort_title: string;
  /** Whether the assigned curator still has the role; null without one. */
  assignee_is_curator: boolean | null;
  /** Comments that answer no other one. */
  comments_total: number;
  comments_resolved: number;
  last_comment_at: Date | null;
  /** Unanswered requests for access. */
  access_requests: number;
};

/** The characters of a title by which lists are sorted. */
const TITLE_LENGTH = 200;
const SORT_TITLE = sql<string>`left(submission_search.title, ${sql.lit(TITLE_LENGTH)}) collate "C"`;

/** A sort order: what is sorted, its value for an entry, and the parameter for such a value; undefined if the value is not valid. */
interface Column {
  expression: RawBuilder<unknown>;
  placeOf: (row: PublicationListRow) => string;
  bind: (place: string) => RawBuilder<unknown> | undefined;
}

const COLUMNS = {
  since: {
    expression: sql`one.since`,
    placeOf: (row) => row.since.toISOString(),
    bind: (place) => (isTime(place) ? sql`${place}::timestamptz` : undefined),
  },
  title: {
    expression: SORT_TITLE,
    placeOf: (row) => row.sort_title,
    bind: (place) => (place.includes("\0") ? undefined : sql`${place}::text`),
  },
} satisfies Record<string, Column>;

/** The sort orders; with `-` in descending order. The first is the default: those that have waited longest come first. */
export const PUBLICATION_SORTS = (Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]).flatMap(
  (by) => [by, `-${by}`] as const,
);
export type PublicationSort = (typeof PUBLICATION_SORTS)[number];

/** The entry after which a list continues. */
export interface PublicationPosition {
  sort: PublicationSort;
  dataset: string;
  version: number;
  place: string;
}

export interface PublicationFilter {
  /** Undefined for all owners. */
  owner: string | undefined;
  /** Undefined for all states. */
  state: PublicationState | undefined;
  /** Undefined for all. */
  queue: PublicationQueue | undefined;
  /** The account that asks. */
  account: string;
  /** Ids of collections to which the datasets belong, or for which their owners ask; undefined for all datasets. */
  collections: readonly string[] | undefined;
  /** Part of the title or the owner, words of the metadata, the id of the dataset, or a part of a DOI. */
  q: string | undefined;
  sort: PublicationSort;
  limit: number;
  after: PublicationPosition | undefined;
}

/**
 * Publications in the requested order. Datasets that were withdrawn are left out, unless DataCite refuses to note it.
 *
 * @param method how people sign in, which decides who is a curator
 * @returns undefined for a position that is not valid in this order
 */
export async function listPublications(
  db: Queries,
  method: SignInMethod,
  filter: PublicationFilter,
): Promise<PublicationListRow[] | undefined> {
  const { owner, state, queue, account, collections, q, sort, after } = filter;
  const { expression, bind } = columnOf(sort);
  const direction = sort.startsWith("-") ? "desc" : "asc";
  // Only what is sorted is read of all entries; the rest, of those on the page.
  let query = db
    .selectFrom("publication as one")
    .innerJoin("dataset", "dataset.id", "one.dataset_id")
    .innerJoin("dataset_version as version", (join) =>
      join.onRef("version.dataset_id", "=", "one.dataset_id").onRef("version.version", "=", "one.version"),
    )
    .innerJoin("submission_search", "submission_search.submission_id", "version.submission_id")
    .select(["one.dataset_id", "one.version", "version.submission_id", "dataset.owner"])
    .select(SORT_TITLE.as("sort_title"));
  query =
    queue === undefined
      ? query.where("dataset.withdrawn_at", "is", null)
      : query.where(isInQueue(queue, { method, account }));
  if (owner !== undefined) query = query.where("dataset.owner", "=", owner);
  if (state !== undefined) query = query.where("one.state", "=", state);
  if (collections !== undefined) {
    query = query.where(sql<SqlBool>`(one.collections && ${collections}::text[] or one.dataset_id in (
      select member.dataset_id from collection_dataset as member where member.collection_id = any(${collections}::text[])))`);
  }
  if (q !== undefined) query = query.where(await publicationSearch(db, q, owner));
  if (after !== undefined) {
    const bound = after.sort === sort ? bind(after.place) : undefined;
    if (bound === undefined) return undefined;
    const beyond = sql.raw(direction === "desc" ? "<" : ">");
    // An index can begin at the first column; the comparison of all columns concerns several tables.
    query = query.where(sql<SqlBool>`${expression} ${beyond}= ${bound} and
      (${expression}, one.dataset_id, one.version) ${beyond} (${bound}, ${after.dataset}::uuid, ${after.version}::int)`);
  }
  const page = query
    .orderBy(expression, direction)
    .orderBy("one.dataset_id", direction)
    .orderBy("one.version", direction)
    .limit(filter.limit);
  return db
    .selectFrom(page.as("page"))
    .innerJoin("publication as one", (join) =>
      join.onRef("one.dataset_id", "=", "page.dataset_id").onRef("one.version", "=", "page.version"),
    )
    .innerJoin("submission", "submission.id", "page.submission_id")
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom("publication_entry as entry")
          .leftJoinLateral(LAST_RESOLUTIONS.as("last"), (join) => join.onRef("last.answers", "=", "entry.no"))
          .whereRef("entry.dataset_id", "=", "page.dataset_id")
          .whereRef("entry.version", "=", "page.version")
          .select([
            sql<number>`(count(*) filter (where ${IS_COMMENT}))::int`.as("comments_total"),
            sql<number>`(count(*) filter (where ${IS_COMMENT} and last.resolved))::int`.as("comments_resolved"),
            sql<Date | null>`max(entry.at) filter (where ${IS_WRITTEN})`.as("last_comment_at"),
          ])
          .as("said"),
      (join) => join.onTrue(),
    )
    .selectAll("one")
    .select([
      "page.owner",
      "page.sort_title",
      "said.comments_total",
      "said.comments_resolved",
      "said.last_comment_at",
      titleOf(),
    ])
    .select(
      sql<number>`case when ${isAnswerable()} then (select count(*)::int from ${OPEN_REQUESTS}) else 0 end`.as(
        "access_requests",
      ),
    )
    .select(sql<boolean | null>`one.assignee in (${curatorNames(method)})`.as("assignee_is_curator"))
    .orderBy(sort.endsWith("since") ? sql`one.since` : sql`page.sort_title collate "C"`, direction)
    .orderBy("one.dataset_id", direction)
    .orderBy("one.version", direction)
    .execute() as Promise<PublicationListRow[]>;
}

/** What a person wrote: other entries have the message of a problem, or the note of a change, in this column. */
const IS_WRITTEN = sql<SqlBool>`entry.comment <> '' and entry.action = any(${[...PUBLICATION_ACTIONS]})`;

/** As `commentStates` decides it. */
const IS_COMMENT = sql<SqlBool>`entry.action = 'comment' and entry.answers is null`;
const LAST_RESOLUTIONS = sql<{ answers: number; resolved: boolean }>`(
  select distinct on (later.answers) later.answers, (later.data ->> 'resolved')::boolean as resolved
  from publication_entry as later
  where later.dataset_id = page.dataset_id and later.version = page.version and later.action = 'resolve'
  order by later.answers, later.no desc)`;

/** The position of an entry in a list with this sort order. */
export function publicationPosition(row: PublicationListRow, sort: PublicationSort): PublicationPosition {
  return { sort, dataset: row.dataset_id, version: row.version, place: columnOf(sort).placeOf(row) };
}

function columnOf(sort: PublicationSort): Column {
  return COLUMNS[sort.replace(/^-/, "") as keyof typeof COLUMNS];
}

/** The title according to the newest metadata of the version. */
function titleOf() {
  return sql<string>`coalesce((
    select title from metadata_revision as revised
    where revised.dataset_id = one.dataset_id and revised.version = one.version
      and published_at is not null and finished_at is not null
    order by revision desc limit 1), submission.title)`.as("title");
}
