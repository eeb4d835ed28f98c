import type { Run } from "../jobs/jobs.ts";
import type { Problem } from "../submission/problems.ts";
import { type About, logOf, observeJob } from "../telemetry/job.ts";
import type { StepContext } from "./context.ts";

/** The context of one job: each of its log lines says which. */
export function contextOf(context: StepContext, queue: string, id: string, about: About): StepContext {
  return { ...context, log: logOf(context.log, { queue, id, about }) };
}

/**
 * Runs a job, in a context of its own, and tells of it.
 *
 * @param work gives the problem that stopped the submission, where one did
 */
export async function observed<Data extends object>(
  context: StepContext,
  queue: string,
  { id, data, trace, signal }: Run<Data>,
  about: (data: Data) => About,
  work: (context: StepContext) => Promise<Problem | undefined>,
): Promise<void> {
  await observeJob(
    context,
    { queue, id, about: about(data), trace, signal },
    async (log) => (await work({ ...context, log }))?.code,
  );
}
