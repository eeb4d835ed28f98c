import type { Static } from "typebox";
import { type DatasetRow, tombstoneOf } from "../db/datasets.ts";
import type { HttpContext } from "./context.ts";
import type { TombstoneView } from "./schemas.ts";

/** A withdrawn dataset as callers see it. */
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
