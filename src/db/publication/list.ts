import { type SqlBool, sql } from "kysely";
import type { PublicationState } from "../../publication/rules/states.ts";
import type { Queries } from "../database.ts";
import type { PublicationRow } from "./publications.ts";

export type PublicationListRow = PublicationRow & { owner: string; title: string };

export interface PublicationFilter {
  /** Undefined for all owners. */
  owner: string | undefined;
  /** Undefined for all states. */
  states: readonly PublicationState[] | undefined;
  /** Undefined for all; null for those without a curator. */
  assignee: string | null | undefined;
  /** Only those of which DataCite does not have the present state because of a problem. */
  isDelayed: boolean;
  limit: number;
  after: { since: Date; dataset: string; version: number } | undefined;
}

/** Publications, those that have been in their state for the longest time first. Datasets that were withdrawn are left out, unless DataCite refuses to note it. */
export async function listPublications(db: Queries, filter: PublicationFilter): Promise<PublicationListRow[]> {
  const { owner, states, assignee, isDelayed, after } = filter;
  let query = db
    .selectFrom("publication as one")
    .innerJoin("dataset", "dataset.id", "one.dataset_id")
    .innerJoin("dataset_version as version", (join) =>
      join.onRef("version.dataset_id", "=", "one.dataset_id").onRef("version.version", "=", "one.version"),
    )
    .innerJoin("submission", "submission.id", "version.submission_id")
    .selectAll("one")
    .select(["dataset.owner", titleOf()]);
  if (!isDelayed) query = query.where("dataset.withdrawn_at", "is", null);
  if (owner !== undefined) query = query.where("dataset.owner", "=", owner);
  if (states !== undefined) query = query.where("one.state", "in", states);
  if (assignee === null) query = query.where("one.assignee", "is", null);
  else if (assignee !== undefined) query = query.where("one.assignee", "=", assignee);
  if (isDelayed) query = query.where("one.problem", "is not", null);
  if (after !== undefined) {
    query = query.where(
      sql<SqlBool>`(one.since, one.dataset_id, one.version) > (${after.since}, ${after.dataset}::uuid, ${after.version}::int)`,
    );
  }
  return query
    .orderBy("one.since")
    .orderBy("one.dataset_id")
    .orderBy("one.version")
    .limit(filter.limit)
    .execute() as Promise<PublicationListRow[]>;
}

/** The title according to the newest metadata of the version. */
function titleOf() {
  return sql<string>`coalesce((
    select title from metadata_revision as revised
    where revised.dataset_id = one.dataset_id and revised.version = one.version
      and published_at is not null and finished_at is not null
    order by revision desc limit 1), submission.title)`.as("title");
}
