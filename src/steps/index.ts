import { Problem } from "../domain/problems.ts";
import { QUEUES } from "../domain/submission/queues.ts";
import type { Queue } from "../platform/jobs/queue.ts";
import type { About } from "../platform/telemetry/job.ts";
import { logOf } from "../platform/telemetry/job.ts";
import { advance } from "./advance.ts";
import { type AuditPlan, defineArchiveJobs } from "./archive-jobs.ts";
import type { AttemptRef, StepContext } from "./context.ts";
import { discardLate } from "./discard-staging.ts";
import { list } from "./list/list.ts";
import { observed } from "./observe.ts";
import { probeWaiting } from "./probe-waiting.ts";
import { packageDataset } from "./seal/package-dataset.ts";
import { suspendingOnProblem, suspendOrFail } from "./suspend-or-fail.ts";
import { transfer } from "./transfer/transfer.ts";
import { TRANSFER_THREADS } from "./transfer/transfer-threads.ts";
import { verify } from "./verify/verify.ts";

/** Defines the queues: the steps of a submission, in order, and the jobs for archived datasets. */
export function defineSteps(context: StepContext, audits: AuditPlan): void {
  step(context, QUEUES.list, 2, list);
  step(context, QUEUES.transfer, TRANSFER_THREADS, transfer);
  step(context, QUEUES.verify, 1, verify);
  step(context, QUEUES.package, 1, packageDataset);
  step(context, QUEUES.probe, 4, probeWaiting);
  defineArchiveJobs(context, audits);
}

/** Steps that create the staging area, or parts of it. The others only write where they find it. */
const BEGIN_STAGING: ReadonlySet<string> = new Set([QUEUES.list, QUEUES.package]);

/**
 * Defines the queue of a step. A problem that a person can resolve stops the submission. Other errors are retried; after
 * the last try the submission fails with `internal_error`.
 */
function step<Data extends AttemptRef>(
  context: StepContext,
  name: string,
  concurrency: number,
  run: (context: StepContext, work: Data, signal: AbortSignal, nearlyDone: () => void) => Promise<void>,
): void {
  const queue: Queue<Data> = {
    name,
    concurrency,
    shared: true,
    about: aboutOf,
    run: (job) =>
      observed(context, name, job, aboutOf, async (own) => {
        const { data, isHeld, signal, nearlyDone } = job;
        const problem = await suspendingOnProblem(own, data, isHeld, () => run(own, data, signal, nearlyDone));
        await advance(own, data);
        if (BEGIN_STAGING.has(name)) await discardLate(own, data.id);
        return problem;
      }),
    exhausted: ({ id, data, error }) =>
      suspendOrFail(
        contextOf(context, name, id, aboutOf(data)),
        data,
        new Problem("internal_error", "An internal error stopped the submission", { cause: error }),
      ),
  };
  context.jobs.define(queue);
}

function aboutOf({ id, attempt, chunk }: AttemptRef & { chunk?: number }): About {
  return { submission: id, attempt, ...(chunk !== undefined && { chunk }) };
}

/** The context of one job. Each of its log lines names the job. */
function contextOf(context: StepContext, queue: string, id: string, about: About): StepContext {
  return { ...context, log: logOf(context.log, { queue, id, about }) };
}
