import { changeStatus, lockSubmission, stillActive } from "../../db/submissions/submissions.ts";
import { several } from "../../domain/numbers.ts";
import { fairShareGroup, QUEUES } from "../../domain/queues.ts";
import type { AttemptRef, StepContext } from "../context.ts";
import { relist } from "./relist.ts";
import { judgeSuspects } from "./suspects.ts";

/**
 * Verifies an attempt whose objects are all stored or excluded: suspicious ETags are judged, the bucket is listed a
 * second time and compared with the frozen listing. What is stored is held against the counters object by object when
 * it is packaged.
 */
export async function verify(context: StepContext, work: AttemptRef, signal: AbortSignal): Promise<void> {
  const row = await stillActive(context.db, work.id, work.attempt);
  if (row?.status !== "verifying") return;
  if (await judgeSuspects(context, work)) return;
  if (!(await relist(context, work, row, signal))) return;
  await context.db.transaction().execute(async (trx) => {
    const now = await lockSubmission(trx, work.id);
    if (now?.attempt !== work.attempt || now.status !== "verifying") return;
    const drifted = now.drift_total;
    const message =
      drifted === 0
        ? "The bucket is as it was listed; packaging"
        : `The bucket changed after it was listed: ${several(drifted, "difference")}; packaging`;
    await changeStatus(trx, now, "packaging", { type: "packaging", message });
    const { id, attempt } = work;
    await context.jobs.enqueue(QUEUES.package, { key: id, data: { id, attempt }, group: fairShareGroup(now) }, trx);
  });
  context.jobs.wake(QUEUES.package);
}
