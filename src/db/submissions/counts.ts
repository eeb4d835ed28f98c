import type { Updateable } from "kysely";
import type { SubmissionTable } from "../tables/submission-tables.ts";
import type { Trx } from "./submissions.ts";

/** Columns of a submission that count its objects, their bytes, and the changes of its bucket. */
export type Counter =
  | `${"objects" | "bytes"}_${"listed" | "stored" | "excluded" | "unchanged"}`
  | "objects_failed"
  | "objects_differing"
  | "drift_total";

/**
 * Adds to counters of a submission, and sets other columns in the same statement. The caller holds the submission's lock.
 *
 * @param changes the number to add to each counter; may be negative
 */
export async function addToCounts(
  trx: Trx,
  id: string,
  changes: Partial<Record<Counter, number>>,
  set: Updateable<SubmissionTable> = {},
): Promise<void> {
  const counters = Object.entries(changes) as [Counter, number][];
  await trx
    .updateTable("submission")
    .set((eb) => ({ ...Object.fromEntries(counters.map(([name, by]) => [name, eb(name, "+", by)])), ...set }))
    .where("id", "=", id)
    .execute();
}
