import type { Run } from "../jobs/jobs.ts";
import type { Problem } from "../submission/problems.ts";
import type { JobOutcome } from "../telemetry/metrics.ts";
import { type Attributes, failureOf } from "../telemetry/tracing.ts";
import type { StepContext } from "./context.ts";

/** What lines of the log and spans say of a job: ids and numbers, never names or keys. */
export interface About {
  submission?: string;
  attempt?: number;
  chunk?: number;
  dataset?: string;
}

/** The context of one job: each of its log lines says which. */
export function contextOf(context: StepContext, queue: string, job: string, about: About): StepContext {
  return { ...context, log: context.log.child({ queue, job, ...about }) };
}

/**
 * Runs a job and tells of it: how long it took and how it ended, as a metric, a span, and a line of the log.
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
  const own = contextOf(context, queue, id, about(data));
  const attributes = attributesOf(queue, id, about(data));
  const span = context.tracing.begin({ name: `process ${queue}`, kind: "consumer", parent: trace, attributes });
  const began = performance.now();
  const end = (outcome: JobOutcome, failure?: string) => {
    const seconds = (performance.now() - began) / 1000;
    context.metrics.job({ queue, outcome }, seconds);
    span.note({ "accession.outcome": outcome });
    span.end(failure);
    own.log.debug({ outcome, milliseconds: Math.round(seconds * 1000) }, "a job ended");
  };
  try {
    const problem = await span.around(() => work(own));
    if (problem !== undefined) end("halted", problem.code);
    // Whoever is told to stop may return with half of the work done.
    else end(signal.aborted ? "interrupted" : "done");
  } catch (error) {
    if (signal.aborted) end("interrupted");
    else end("failed", failureOf(error));
    throw error;
  }
}

/** By OpenTelemetry’s conventions for messaging, where they have a name for it. */
function attributesOf(queue: string, job: string, { submission, attempt, chunk, dataset }: About): Attributes {
  return {
    "messaging.system": "pg-boss",
    "messaging.operation.name": "process",
    "messaging.operation.type": "process",
    "messaging.destination.name": queue,
    "messaging.message.id": job,
    ...(submission !== undefined && { "accession.submission.id": submission }),
    ...(attempt !== undefined && { "accession.submission.attempt": attempt }),
    ...(chunk !== undefined && { "accession.chunk": chunk }),
    ...(dataset !== undefined && { "accession.dataset.id": dataset }),
  };
}
