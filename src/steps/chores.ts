import { isAuditDue } from "../db/audits.ts";
import { withdrawing } from "../db/datasets.ts";
import { QUEUES } from "../submission/states.ts";
import { audit } from "./audit/audit.ts";
import type { StepContext } from "./context.ts";
import { discardStaged } from "./discard.ts";
import { withdrawDataset } from "./withdraw.ts";

/** How often a run of the audit begins (undefined: never), and what part of the archive it reads. */
export interface AuditPlan {
  intervalMs: number | undefined;
  share: number;
}

/** Removals, so that a large one keeps small ones waiting no longer than it must. */
const DISCARDS = 2;

/** Work on what is archived already or will never be: it belongs to no attempt. */
export function defineChores(context: StepContext, plan: AuditPlan): void {
  context.jobs.define<object>({
    name: QUEUES.audit,
    concurrency: 1,
    run: ({ signal }) => audit(context, plan.share, signal),
    exhausted: async () => undefined,
  });
  context.jobs.define<{ dataset: string }>({
    name: QUEUES.withdraw,
    concurrency: 1,
    run: ({ data }) => withdrawDataset(context, data.dataset),
    exhausted: async () => undefined,
  });
  context.jobs.define<{ submission: string }>({
    name: QUEUES.discard,
    concurrency: DISCARDS,
    run: ({ data }) => discardStaged(context, data.submission),
    // The reconciler finds what is left, and queues it again.
    exhausted: async () => undefined,
  });
}

/** Queues what the tables say is due: the audit, and withdrawals that are decided and not finished. */
export async function queueChores(context: StepContext, { intervalMs }: AuditPlan): Promise<void> {
  for (const dataset of await withdrawing(context.db)) {
    await context.jobs.enqueue(QUEUES.withdraw, { key: dataset, data: { dataset } });
    context.jobs.wake(QUEUES.withdraw);
  }
  if (intervalMs === undefined || !(await isAuditDue(context.db, intervalMs))) return;
  await context.jobs.enqueue(QUEUES.audit, { key: QUEUES.audit, data: {} });
  context.jobs.wake(QUEUES.audit);
}
