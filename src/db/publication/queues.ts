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
      return sql`exists (select from ${OPEN_REQUESTS})`;
  }
}

/** The number of publications in each part of the queue. @param owner undefined for all owners */
export async function countQueues(
  db: Queries,
  viewer: Viewer,
  owner: string | undefined,
): Promise<Record<PublicationQueue, number>> {
  const counts = PUBLICATION_QUEUES.map(
    (queue) => sql`count(*) filter (where ${isInQueue(queue, viewer)})::int as ${sql.ref(queue)}`,
  );
  // Most publications are finished, and belong to no part.
  const { rows } = await sql<Record<PublicationQueue, number>>`
    select ${sql.join(counts)}
    from publication one join dataset on dataset.id = one.dataset_id
    where (one.state in ('in_review', 'changes_requested', 'approved') or one.problem is not null
      or exists (select from access_request where access_request.dataset_id = one.dataset_id and access_request.state = 'open'))
      ${owner === undefined ? sql`` : sql`and dataset.owner = ${owner}`}`.execute(db);
  const [found] = rows;
  if (found === undefined) throw new Error("An aggregate without groups returns one row");
  return found;
}
