import { isAuditDue } from "../db/datasets/audits.ts";
import { unfinishedWithdrawals } from "../db/datasets/datasets.ts";
import { QUEUES } from "../domain/queues.ts";
import type { About } from "../telemetry/job.ts";
import { audit } from "./audit/audit.ts";
import type { StepContext } from "./context.ts";
import { discardStaged } from "./discard-staging.ts";
import { observed } from "./observe.ts";
import { withdrawDataset } from "./withdraw.ts";

/** How often a run of the audit begins (undefined: never), and what part of the archive it reads. */
export interface AuditPlan {
  intervalMs: number | undefined;
  share: number;
}

/** Removals, so that a large one keeps small ones waiting no longer than it must. */
const DISCARDS = 2;

/** Work on what is archived already or will never be: it belongs to no attempt. */
export function defineArchiveJobs(context: StepContext, plan: AuditPlan): void {
  defineJob<object>(
    context,
    QUEUES.audit,
    1,
    () => ({}),
    (own, _, signal) => audit(own, plan.share, signal),
  );
  defineJob<{ dataset: string }>(
    context,
    QUEUES.withdraw,
    1,
    (data) => data,
    (own, { dataset }) => withdrawDataset(own, dataset),
  );
  defineJob<{ submission: string }>(
    context,
    QUEUES.discard,
    DISCARDS,
    (data) => data,
    (own, { submission }) => discardStaged(own, submission),
  );
}

/** Makes something the work of its queue. What could not be done is found by the reconciler, and queued again. */
function defineJob<Data extends object>(
  context: StepContext,
  name: string,
  concurrency: number,
  about: (data: Data) => About,
  run: (context: StepContext, data: Data, signal: AbortSignal) => Promise<void>,
): void {
  context.jobs.define<Data>({
    name,
    concurrency,
    about,
    run: (job) =>
      observed(context, name, job, about, async (own) => {
        await run(own, job.data, job.signal);
        return undefined;
      }),
    exhausted: async () => undefined,
  });
}

/** Queues what the tables say is due: the audit, and withdrawals that are decided and not finished. */
export async function queueArchiveJobs(context: StepContext, { intervalMs }: AuditPlan): Promise<void> {
  for (const dataset of await unfinishedWithdrawals(context.db)) {
    await context.jobs.enqueue(QUEUES.withdraw, { key: dataset, data: { dataset } });
    context.jobs.wake(QUEUES.withdraw);
  }
  if (intervalMs === undefined || !(await isAuditDue(context.db, intervalMs))) return;
  await context.jobs.enqueue(QUEUES.audit, { key: QUEUES.audit, data: {} });
  context.jobs.wake(QUEUES.audit);
}
