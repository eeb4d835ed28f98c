import { type RawBuilder, type SqlBool, sql } from "kysely";
import { PUBLICATION_QUEUES, type PublicationQueue } from "../../../packages/rules/src/index.ts";
import type { Queries } from "../database.ts";
import { curatorNames, type SignInMethod } from "./curators.ts";
import { isDelayedNow } from "./delayed.ts";

/** Who looks at a part of the queue. */
interface Viewer {
  /** How people sign in, which decides who is a curator. */
  method: SignInMethod;
  account: string;
}

/** The unanswered requests for access to a version. The table `publication` is named `one`. */
export const OPEN_REQUESTS = sql`access_request as asked
  where asked.dataset_id = one.dataset_id and asked.version = one.version and asked.state = 'open'`;

/** Whether requests for access can be answered: the version is public and its files are closed. As `isOpen` decides it. */
export function isAnswerable(): RawBuilder<SqlBool> {
  const today = new Date().toISOString().slice(0, 10);
  return sql<SqlBool>`(one.state = 'published'
    and (one.access = 'restricted' or (one.access = 'embargoed' and one.embargo_date > ${today})))`;
}

/**
 * Whether a publication belongs to a part of the queue. The tables `publication` and `dataset` are named `one` and `dataset`.
 * Withdrawn datasets belong to none, unless DataCite refuses to note the withdrawal.
 */
export function isInQueue(queue: PublicationQueue, viewer: Viewer): RawBuilder<SqlBool> {
  if (queue === "failing") return isDelayedNow(sql`one.problem`);
  return sql<SqlBool>`(dataset.withdrawn_at is null and ${conditionOf(queue, viewer)})`;
}

function conditionOf(queue: Exclude<PublicationQueue, "failing">, { method, account }: Viewer): RawBuilder<SqlBool> {
  switch (queue) {
    case "new":
      return sql`one.state = 'in_review' and (one.assignee is null or one.assignee not in (${curatorNames(method)}))`;
    case "mine":
      return sql`one.state in ('in_review', 'changes_requested', 'approved') and one.assignee = ${account}`;
    case "author":
      return sql`one.state = 'changes_requested'`;
    case "approved":
      return sql`one.state = 'approved'`;
    case "access":
      return sql`${isAnswerable()} and (one.dataset_id, one.version) in (
        select dataset_id, version from access_request where access_request.state = 'open')`;
  }
}

/** What the parts of the queue have, and what of it waits for the account that asks. */
export type QueueCounts = Record<PublicationQueue, number> & {
  /** Assigned to the account, and in review. */
  reviewing: number;
  /** Of the datasets of the account itself. */
  own: Record<(typeof OWN)[number], number>;
};

/** The parts that wait for the owners of datasets. */
const OWN = ["author", "approved", "access"] as const satisfies PublicationQueue[];

/** Counts the publications in each part of the queue. @param owner undefined for all owners */
export async function countQueues(db: Queries, viewer: Viewer, owner: string | undefined): Promise<QueueCounts> {
  const isOwn = sql<SqlBool>`dataset.owner = ${viewer.account}`;
  const numberOf = (conditions: RawBuilder<SqlBool>[], name: string) =>
    sql`count(*) filter (where ${sql.join(conditions, sql` and `)})::int as ${sql.ref(name)}`;
  const counts = [
    ...PUBLICATION_QUEUES.map((queue) => numberOf([isInQueue(queue, viewer)], queue)),
    ...OWN.map((queue) => numberOf([isInQueue(queue, viewer), isOwn], `own ${queue}`)),
    numberOf([isInQueue("mine", viewer), sql`one.state = 'in_review'`], "reviewing"),
  ];
  // Most publications are finished and belong to no part, so that the indexes find those that may.
  const { rows } = await sql<Record<string, number>>`
    with candidate as (
      select dataset_id, version from publication where state in ('in_review', 'changes_requested', 'approved')
      union select dataset_id, version from publication where problem is not null
      union select dataset_id, version from access_request where state = 'open')
    select ${sql.join(counts)}
    from candidate
    join publication one on one.dataset_id = candidate.dataset_id and one.version = candidate.version
    join dataset on dataset.id = one.dataset_id
    ${owner === undefined ? sql`` : sql`where dataset.owner = ${owner}`}`.execute(db);
  const found = (name: string) => rows[0]?.[name] ?? 0;
  return {
    ...countsOf(PUBLICATION_QUEUES, found),
    reviewing: found("reviewing"),
    own: countsOf(OWN, (queue) => found(`own ${queue}`)),
  };
}

function countsOf<Queue extends string>(
  queues: readonly Queue[],
  numberOf: (queue: Queue) => number,
): Record<Queue, number> {
  return Object.fromEntries(queues.map((queue) => [queue, numberOf(queue)])) as Record<Queue, number>;
}
