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
  return {
    ...dataset,
    withdrawnAt: withdrawn.at,
    withdrawnBy: withdrawn.by,
    reason: withdrawn.reason,
    removedAt: row.removed_at?.toISOString() ?? null,
    versions: versions.map((version) => ({
      ...version,
      receipt: `${basePath}/submission/${version.submission}/receipt`,
    })),
  };
}
