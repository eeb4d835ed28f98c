import { bytesStillNeeded } from "../db/submissions/staging.ts";
import type { SubmissionRow } from "../db/submissions/submissions.ts";
import { noSpace } from "../domain/problems/no-space.ts";
import type { StepContext } from "./context.ts";

/** Disk space that inventory, manifest and database need per object besides its content; measured at about 1.9 kB. */
const OVERHEAD_BYTES = 2_048;

/**
 * Throws if the remaining bytes of all admitted submissions, including this one, do not fit into the free space above the reserve.
 * @throws Problem `no_space`
 */
export async function checkDiskSpace(context: StepContext, row: SubmissionRow): Promise<void> {
  const admitted = await bytesStillNeeded(context.db, row.id, OVERHEAD_BYTES);
  const own = row.bytes_listed - row.bytes_stored + row.objects_listed * OVERHEAD_BYTES;
  const room = await context.store.freeBytes();
  if (admitted + own > room) {
    throw noSpace("The dataset needs", own, { free: room - admitted, reserve: await context.store.reserveBytes() });
  }
}
