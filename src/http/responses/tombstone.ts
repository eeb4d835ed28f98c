import type { Static } from "typebox";
import type { Queries } from "../../db/database.ts";
import { type DatasetRow, submissionOfVersion, tombstoneOf } from "../../db/datasets/datasets.ts";
import { latestRevision } from "../../db/datasets/revisions.ts";
import type { HttpContext } from "../context.ts";
import type { TombstoneView } from "../schemas.ts";

/** Returns the API view of a withdrawn dataset, for its owner and curators. */
export async function viewTombstone(
  { db, basePath }: HttpContext,
  row: DatasetRow,
): Promise<Static<typeof TombstoneView>> {
  const { dataset, versions, withdrawn } = await tombstoneOf(db, row);
  const { id, identifier, title, createdAt } = dataset;
  return {
    id,
    identifier,
    title,
    createdAt,
    withdrawnAt: withdrawn.at,
    withdrawnBy: withdrawn.by,
    reason: withdrawn.reason,
    removedAt: row.removed_at?.toISOString() ?? null,
    versions: versions.map(({ version, submission, publishedAt, objects, bytes }) => ({
      version,
      submission,
      publishedAt,
      objects,
      bytes,
      receipt: `${basePath}/submission/${submission}/receipt`,
    })),
  };
}

/**
 * Returns what the public may know of a withdrawn dataset: only the versions that were published, and the title of the newest
 * of them. Accounts, submissions and receipts are for owner and curators.
 *
 * @param published numbers of the versions that were published. Without one, only an identifier was public, and not the title
 */
export async function viewPublicTombstone(
  context: HttpContext,
  row: DatasetRow,
  published: ReadonlySet<number>,
): Promise<Static<typeof TombstoneView>> {
  const view = await viewTombstone(context, row);
  const title = published.size === 0 ? "" : await titleOfVersion(context.db, row.id, Math.max(...published));
  const versions = view.versions.filter(({ version }) => published.has(version));
  return {
    ...view,
    title,
    createdAt: versions.at(-1)?.publishedAt ?? view.createdAt,
    withdrawnBy: null,
    versions: versions.map((version) => ({ ...version, submission: null, receipt: null })),
  };
}

/** The title of a version according to its newest metadata. */
export async function titleOfVersion(db: Queries, dataset: string, version: number): Promise<string> {
  const revised = (await latestRevision(db, dataset, version))?.title;
  return revised ?? (await submissionOfVersion(db, dataset, version))?.title ?? "";
}
