import { lockSubmission, move, stillActive } from "../../db/submissions.ts";
import { several } from "../../submission/numbers.ts";
import { QUEUES } from "../../submission/states.ts";
import type { StepContext, Work } from "../context.ts";
import { addUp } from "./add-up.ts";
import { relist } from "./relist.ts";
import { judgeSuspects } from "./suspects.ts";

/**
 * Verifies an attempt whose objects are all stored or excluded: suspicious ETags are judged, the bucket is listed a
 * second time and compared with the frozen listing, counts and bytes are added up anew.
 */
export async function verify(context: StepContext, work: Work, signal: AbortSignal): Promise<void> {
  const row = await stillActive(context.db, work.id, work.attempt);
  if (row?.status !== "verifying") return;
  if (await judgeSuspects(context, work)) return;
  if (!(await relist(context, work, row, signal))) return;
  const judged = await stillActive(context.db, work.id, work.attempt);
  if (judged !== undefined) await addUp(context, work, judged);
  await context.db.transaction().execute(async (trx) => {
    const now = await lockSubmission(trx, work.id);
    if (now?.attempt !== work.attempt || now.status !== "verifying") return;
    const drifted = now.drift_total;
    const message =
      drifted === 0
        ? "The bucket is as it was listed, and everything adds up; packaging"
        : `Everything stored adds up, but the bucket changed meanwhile: ${several(drifted, "difference")}; packaging`;
    await move(trx, now, "packaging", { type: "packaging", message });
    await context.jobs.enqueue(QUEUES.package, work.id, work, trx);
  });
  context.jobs.wake(QUEUES.package);
}
