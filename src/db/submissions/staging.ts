import { sql } from "kysely";
import type { Queries } from "../database.ts";
import { ERASED_CREDENTIALS, type SubmissionRow } from "./submissions.ts";

/** Marks the staged files of submissions that failed before a time for removal, and erases credentials given for a retry. */
export async function releaseStaging(db: Queries, failedBefore: Date): Promise<void> {
  await db
    .updateTable("submission")
    .set({ staged: false, ...ERASED_CREDENTIALS })
    .where("status", "=", "failed")
    .where("staged", "=", true)
    .where("finished_at", "<", failedBefore)
    .execute();
}

/** Returns which of these submissions no longer need their staged files. They cannot be retried. */
export async function submissionsToDiscard(
  db: Queries,
  ids: readonly string[],
): Promise<Pick<SubmissionRow, "id" | "status" | "endpoint" | "bucket">[]> {
  return db
    .selectFrom("submission")
    .select(["id", "status", "endpoint", "bucket"])
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where("staged", "=", false)
    .where("status", "in", ["completed", "cancelled", "failed"])
    .execute();
}

/**
 * Bytes that all other admitted submissions still need in the archive.
 *
 * @param except the id of a submission that is not counted
 * @param overheadBytes counted for each object besides its content
 */
export async function bytesStillNeeded(db: Queries, except: string, overheadBytes: number): Promise<number> {
  const left = sql<number>`coalesce(sum(bytes_listed - bytes_stored - bytes_excluded
    + (objects_listed - objects_stored) * ${sql.lit(overheadBytes)}), 0)::bigint`;
  const { bytes } = await db
    .selectFrom("submission")
    .select(left.as("bytes"))
    .where("listing_complete", "=", true)
    .where("status", "in", ["transferring", "verifying", "packaging", "waiting"])
    .where("id", "!=", except)
    .executeTakeFirstOrThrow();
  return bytes;
}
