import type { JobOutcome, Metrics } from "./metrics.ts";
import { type Attributes, failureOf, type Tracing } from "./tracing.ts";

/** Fields of log lines and spans about a job: ids and numbers, never names or keys. */
export interface About {
  submission?: string;
  upload?: string;
  attempt?: number;
  chunk?: number;
  dataset?: string;
  revision?: string;
  webhook?: string;
}

export interface JobLog {
  error(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  info(fields: object, message: string): void;
  debug(fields: object, message: string): void;
  /** A log that adds these fields to every line. */
  child(fields: object): JobLog;
}

/** The observers of jobs. */
export interface Observers {
  log: JobLog;
  metrics: Metrics;
  tracing: Tracing;
}

/** One try of a job. */
export interface Try {
  queue: string;
  id: string;
  about: About;
  /** The `traceparent` that it continues. */
  trace: string | undefined;
  /** Aborted when the job must be returned to the queue. */
  signal: AbortSignal;
}

/** The log of one job. Each line names the job. */
export function logOf(log: JobLog, { queue, id, about }: Pick<Try, "queue" | "id" | "about">): JobLog {
  return log.child({ queue, job: id, ...about });
}

/**
 * Runs a job and reports its duration and outcome as a metric, a span and a log line.
 *
 * @param work returns the code of the problem that stopped the submission, if any
 */
export async function observeJob(
  { log, metrics, tracing }: Observers,
  job: Try,
  work: (log: JobLog) => Promise<string | undefined>,
): Promise<void> {
  const { queue, signal } = job;
  const own = logOf(log, job);
  const span = tracing.begin({
    name: `process ${queue}`,
    kind: "consumer",
    parent: job.trace,
    attributes: attributesOf(job),
  });
  const began = performance.now();
  const end = (outcome: JobOutcome, failure?: string) => {
    const seconds = (performance.now() - began) / 1000;
    metrics.job({ queue, outcome }, seconds);
    span.note({ "accession.outcome": outcome });
    span.end(failure);
    own.debug({ outcome, milliseconds: Math.round(seconds * 1000) }, "a job ended");
  };
  try {
    const code = await span.around(() => work(own));
    if (code !== undefined) end("halted", code);
    // A job that is told to stop may return before its work is complete.
    else end(signal.aborted ? "interrupted" : "done");
  } catch (error) {
    if (signal.aborted) end("interrupted");
    else end("failed", failureOf(error));
    throw error;
  }
}

/** Named by OpenTelemetry’s conventions for messaging where they define a name. */
function attributesOf({ queue, id, about }: Try): Attributes {
  const { submission, attempt, chunk, dataset, webhook } = about;
  return {
    "messaging.system": "pg-boss",
    "messaging.operation.name": "process",
    "messaging.operation.type": "process",
    "messaging.destination.name": queue,
    "messaging.message.id": id,
    ...(submission !== undefined && { "accession.submission.id": submission }),
    ...(attempt !== undefined && { "accession.submission.attempt": attempt }),
    ...(chunk !== undefined && { "accession.chunk": chunk }),
    ...(dataset !== undefined && { "accession.dataset.id": dataset }),
    ...(webhook !== undefined && { "accession.webhook.id": webhook }),
  };
}
