import { changeStatus, lockSubmission, stillActive } from "../../db/submissions/submissions.ts";
import { several } from "../../domain/numbers.ts";
import { fairShareGroup, QUEUES } from "../../domain/submission/queues.ts";
import type { AttemptRef, StepContext } from "../context.ts";
import { sourceAsSubject } from "../submission-source.ts";
import { relist } from "./relist.ts";
import { judgeSuspects } from "./suspects.ts";

/**
 * Verifies an attempt whose objects are all stored or excluded: decides about ETags that look like MD5 but do not match,
 * and lists the bucket a second time to compare it with the frozen listing. The stored files are compared with the
 * database object by object during packaging.
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
        ? `${sourceAsSubject(now)} has not changed since the first listing; packaging starts`
        : `${sourceAsSubject(now)} changed after the first listing: ${several(drifted, "difference")}; packaging starts`;
    await changeStatus(trx, now, "packaging", { type: "packaging", message });
    const { id, attempt } = work;
    await context.jobs.enqueue(QUEUES.package, { key: id, data: { id, attempt }, group: fairShareGroup(now) }, trx);
  });
  context.jobs.wake(QUEUES.package);
}
