import { setTimeout as sleep } from "node:timers/promises";
import type { Queries } from "../db/database.ts";
import { revisionInProgress } from "../db/datasets/revisions.ts";
import { Problem } from "../domain/problems.ts";
import { SERVICE } from "../publication/rules/states.ts";

/** Time for which a request waits for a revision of the service, in milliseconds. */
const WAIT_MS = 10_000;
const POLL_MS = 50;

/**
 * Waits a few seconds until a revision that the service writes after a publication has ended, because people do not know
 * of it and cannot cancel it. Returns also if it has not ended then.
 */
export async function serviceRevisionEnds(db: Queries, dataset: string): Promise<void> {
  for (const end = Date.now() + WAIT_MS; Date.now() < end; await sleep(POLL_MS)) {
    if ((await revisionInProgress(db, dataset))?.changed_by !== SERVICE) return;
  }
}

/**
 * Does what `dataset_busy` can prevent. If it does, repeats it once, after a revision of the service has ended.
 * @param change has no effect if it throws
 */
export async function afterServiceRevision<T>(db: Queries, dataset: string, change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "dataset_busy") throw error;
  }
  await serviceRevisionEnds(db, dataset);
  return change();
}
