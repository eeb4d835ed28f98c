import { type Selectable, sql } from "kysely";
import type { SubmissionSummary } from "../../domain/submission/summary.ts";
import type { Queries } from "../database.ts";
import { searchSubmissions } from "../submissions/search.ts";
import type { DatasetTable, DatasetVersionTable } from "../tables/dataset-tables.ts";

/** A dataset as a list entry, with its latest version. */
export type DatasetEntryRow = Pick<
  Selectable<DatasetTable>,
  "id" | "owner" | "latest_version" | "created_at" | "withdrawn_at" | "withdrawn_by" | "withdrawn_reason"
> &
  Pick<Selectable<DatasetVersionTable>, "submission_id" | "published_at" | "objects" | "bytes"> & {
    updated_at: Date;
    /** Of the publication of the latest version; null without one. */
    identifier: string | null;
    made_public_at: Date | null;
    summary: SubmissionSummary;
  };

interface DatasetFilter {
  /** Undefined for all owners. */
  owner: string | undefined;
  /** The query, as for submissions; searches the latest version. */
  q?: string | undefined;
  /** Only datasets that received a version, or were withdrawn, after this time. */
  updatedAfter?: Date | undefined;
  limit: number;
  before?: { createdAt: Date; id: string } | undefined;
}

/** Newest first, after the cursor. */
export async function listDatasets(db: Queries, filter: DatasetFilter): Promise<DatasetEntryRow[]> {
  const { owner, q, updatedAfter, before } = filter;
  // Only the ids are sorted, because the rest of a row is wide.
  let query = db.selectFrom("dataset").select("id");
  if (owner !== undefined) query = query.where("owner", "=", owner);
  if (updatedAfter !== undefined)
    query = query.where(sql<boolean>`
    (greatest(withdrawn_at, removed_at) > ${updatedAfter} or (id, latest_version) in (
      select dataset_id, version from dataset_version where published_at > ${updatedAfter}))`);
  if (q !== undefined)
    query = query.where(sql<boolean>`
    (id, latest_version) in (
      select dataset_id, version from dataset_version where submission_id in (${searchSubmissions(q, owner)}))`);
  if (before !== undefined) {
    query = query.where(sql<boolean>`(created_at, id) < (${before.createdAt}, ${before.id}::uuid)`);
  }
  query = query.orderBy("created_at", "desc").orderBy("id", "desc").limit(filter.limit);
  return db
    .selectFrom(query.as("found"))
    .innerJoin("dataset", "dataset.id", "found.id")
    .innerJoin("dataset_version as latest", (join) =>
      join.onRef("latest.dataset_id", "=", "dataset.id").onRef("latest.version", "=", "dataset.latest_version"),
    )
    .innerJoin("submission", "submission.id", "latest.submission_id")
    .leftJoin("publication", (join) =>
      join
        .onRef("publication.dataset_id", "=", "dataset.id")
        .onRef("publication.version", "=", "dataset.latest_version"),
    )
    .select(["dataset.id", "dataset.owner", "dataset.latest_version", "dataset.created_at"])
    .select(["dataset.withdrawn_at", "dataset.withdrawn_by", "dataset.withdrawn_reason"])
    .select(["latest.submission_id", "latest.published_at", "latest.objects", "latest.bytes", "submission.summary"])
    .select(["publication.identifier", "publication.published_at as made_public_at"])
    .select(sql<Date>`greatest(latest.published_at, dataset.withdrawn_at, dataset.removed_at)`.as("updated_at"))
    .orderBy("dataset.created_at", "desc")
    .orderBy("dataset.id", "desc")
    .execute() as Promise<DatasetEntryRow[]>;
}
