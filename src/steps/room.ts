import { sql } from "kysely";
import type { SubmissionRow } from "../db/submissions.ts";
import { size } from "../domain/numbers.ts";
import { Problem } from "../domain/problems.ts";
import type { StepContext } from "./context.ts";

/** What inventory, manifest and database take for one object besides its bytes; measured at about 1.9 kB. */
const OVERHEAD_BYTES = 2_048;

/**
 * Refuses to go on when what is left of all admitted submissions, this one included, does not fit above the reserve.
 * @throws Problem `no_space`
 */
export async function checkRoom(context: StepContext, row: SubmissionRow): Promise<void> {
  const left = sql<number>`coalesce(sum(bytes_listed - bytes_stored - bytes_excluded
    + (objects_listed - objects_stored) * ${sql.lit(OVERHEAD_BYTES)}), 0)::bigint`;
  const admitted = await context.db
    .selectFrom("submission")
    .select(left.as("bytes"))
    .where("listing_complete", "=", true)
    .where("status", "in", ["transferring", "verifying", "packaging", "waiting"])
    .where("id", "!=", row.id)
    .executeTakeFirstOrThrow();
  const own = row.bytes_listed - row.bytes_stored + row.objects_listed * OVERHEAD_BYTES;
  const room = await context.store.room();
  if (admitted.bytes + own > room) {
    throw new Problem(
      "no_space",
      `The dataset needs ${size(own)}; the archive has room for ${size(Math.max(0, room - admitted.bytes))}`,
    );
  }
}
