import type { Queries } from "./database.ts";

/**
 * What a database knows of the archive. `unknown`: it was never used with one. `rebuilding`: a rebuild from the archive was
 * begun and not finished. `known`: the archive was empty when the database was first used, or its datasets are known.
 */
export type ArchiveState = "unknown" | "rebuilding" | "known";

/** The name of its row, beside the fingerprints of the keys that the database is used with. */
const ROW = "archive";

export async function archiveState(db: Queries): Promise<ArchiveState> {
  const row = await db.selectFrom("fingerprint").select("value").where("name", "=", ROW).executeTakeFirst();
  if (row !== undefined) return row.value === "rebuilding" ? "rebuilding" : "known";
  // A database of a release that did not note it.
  const used = await db.selectFrom("submission").select("id").limit(1).executeTakeFirst();
  return used === undefined ? "unknown" : "known";
}

export async function recordArchiveState(db: Queries, value: Exclude<ArchiveState, "unknown">): Promise<void> {
  await db
    .insertInto("fingerprint")
    .values({ name: ROW, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}

/** The id of the dataset that was made last, of those that are published and not withdrawn. */
export async function newestDataset(db: Queries): Promise<string | undefined> {
  const found = await db
    .selectFrom("dataset")
    .innerJoin("dataset_version", "dataset_version.dataset_id", "dataset.id")
    .innerJoin("submission", "submission.id", "dataset_version.submission_id")
    .select("dataset.id")
    .where("dataset.withdrawn_at", "is", null)
    .where("submission.status", "=", "completed")
    .orderBy("dataset.created_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return found?.id;
}
