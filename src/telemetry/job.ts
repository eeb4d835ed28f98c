import type { JobOutcome, Metrics } from "./metrics.ts";
import { type Attributes, failureOf, type Tracing } from "./tracing.ts";

/** What lines of the log and spans say of a job: ids and numbers, never names or keys. */
export interface About {
  submission?: string;
  attempt?: number;
  chunk?: number;
  dataset?: string;
  webhook?: string;
}

export interface JobLog {
  error(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  info(fields: object, message: string): void;
  debug(fields: object, message: string): void;
  /** The same with more to say in every line. */
  child(fields: object): JobLog;
}

/** Who is told of a job. */
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
  /** The `traceparent` that it goes on with. */
  trace: string | undefined;
  /** Aborted when it is to be given back. */
  signal: AbortSignal;
}

/** The log of one job: each of its lines says which. */
export function logOf(log: JobLog, { queue, id, about }: Pick<Try, "queue" | "id" | "about">): JobLog {
  return log.child({ queue, job: id, ...about });
}

/**
 * Runs a job and tells of it: how long it took and how it ended, as a metric, a span, and a line of the log.
 *
 * @param work gives the code of the problem that stopped what it is about, where one did
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
    // Whoever is told to stop may return with half of the work done.
    else end(signal.aborted ? "interrupted" : "done");
  } catch (error) {
    if (signal.aborted) end("interrupted");
    else end("failed", failureOf(error));
    throw error;
  }
}

/** By OpenTelemetry’s conventions for messaging, where they have a name for it. */
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
