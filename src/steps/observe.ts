import type { Problem } from "../domain/problems.ts";
import type { Run } from "../platform/jobs/queue.ts";
import type { About } from "../platform/telemetry/job.ts";
import { observeJob } from "../platform/telemetry/job.ts";
import type { StepContext } from "./context.ts";

/**
 * Runs a job in a separate context, and reports it in metrics, traces and the log.
 *
 * @param work returns the problem that stopped the submission, if any
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
