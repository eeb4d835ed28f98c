import { changeStatus, lockSubmission, type SubmissionRow } from "../db/submissions/submissions.ts";
import { lockAreaOf, releaseArea } from "../db/uploads/areas.ts";
import { QUEUES } from "../domain/submission/queues.ts";
import type { IntakeContext } from "./context.ts";

/**
 * Cancels a submission that is not published, also a failed one. When this resolves, its credentials are erased. Its staged
 * files are removed soon after, also if the service crashes in between. An upload is returned to its owner.
 *
 * @throws Problem `wrong_state`, or `too_late` once publication is committed
 */
export async function cancel(context: IntakeContext, found: SubmissionRow): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    await lockAreaOf(trx, found.id);
    const row = await lockSubmission(trx, found.id);
    if (row === undefined) return;
    await changeStatus(
      trx,
      row,
      "cancelled",
      { type: "cancelled", message: "Cancelled; the stored files are being deleted" },
      {
        finished_at: new Date(),
        staged: false,
        waiting: null,
        failure: null,
        resume_status: null,
        probe_at: null,
      },
    );
    await releaseArea(trx, row.id);
    await context.jobs.enqueue(QUEUES.discard, { key: row.id, data: { submission: row.id } }, trx);
  });
  context.jobs.wake(QUEUES.discard);
}
