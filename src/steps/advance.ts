import { openChunks } from "../db/chunks/chunks.ts";
import { addEvent } from "../db/submissions/events.ts";
import { changeStatus, lockSubmission } from "../db/submissions/submissions.ts";
import { fail, wait } from "../db/submissions/waiting.ts";
import { several, size } from "../domain/numbers.ts";
import { Problem } from "../domain/problems.ts";
import { openDifferences } from "../domain/submission/digest-state.ts";
import { fairShareGroup, QUEUES } from "../domain/submission/queues.ts";
import type { AttemptRef, StepContext } from "./context.ts";
import { sourceAsSubject } from "./submission-source.ts";

/**
 * Moves a submission from transferring to verifying when every chunk is done, or makes it wait for a decision if
 * objects could not be read. It may be called at any time.
 */
export async function advance(context: StepContext, work: AttemptRef): Promise<void> {
  const { id, attempt } = work;
  // Usually chunks are still open, which a single query without a transaction detects.
  if ((await openChunks(context.db, id, attempt, 1)).length > 0) return;
  const moved = await context.db.transaction().execute(async (trx) => {
    const row = await lockSubmission(trx, id);
    if (row === undefined || row.attempt !== attempt || row.status !== "transferring") return false;
    if ((await openChunks(trx, id, attempt, 1)).length > 0) return false;
    if (row.objects_failed > 0) {
      const differing = openDifferences(row);
      const how = differing === 0 ? "cannot be read" : "cannot be read, or differ from their stated checksum";
      const unread = `${row.objects_failed} of ${several(row.objects_listed, "object")} ${how}`;
      await wait(trx, row, "objects_unreadable", { message: `${unread}; all other objects are stored` });
      return false;
    }
    if (row.objects_excluded >= row.objects_listed) {
      await fail(
        trx,
        row,
        new Problem("source_empty", "Every object was excluded, so there are no objects to archive"),
      );
      return false;
    }
    await addEvent(trx, id, {
      type: "transferred",
      message: `Transfer completed: ${several(row.objects_stored, "object")}, ${size(row.bytes_stored)}`,
      data: { objects: row.objects_stored, bytes: row.bytes_stored },
    });
    await changeStatus(trx, row, "verifying", {
      type: "verifying",
      message: `${sourceAsSubject(row)} is listed again to detect changes`,
    });
    await context.jobs.enqueue(QUEUES.verify, { key: id, data: { id, attempt }, group: fairShareGroup(row) }, trx);
    return true;
  });
  if (moved) context.jobs.wake(QUEUES.verify);
}
