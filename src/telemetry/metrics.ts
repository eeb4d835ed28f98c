import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** How a job ended: with its work done, by stopping its submission, to be tried again, or given back to the queue. */
export type JobOutcome = "done" | "halted" | "failed" | "interrupted";

/** What is sent to others. */
const NOTICE_KINDS = ["webhook", "mail"] as const;
type NoticeKind = (typeof NOTICE_KINDS)[number];
/** How a try to send it ended: taken by the other side, to be tried again, or given up for good. */
const NOTICE_OUTCOMES = ["delivered", "failed", "given_up"] as const;
type NoticeOutcome = (typeof NOTICE_OUTCOMES)[number];

/** Connections of this process to the database: how many are at work or at rest, and how many wait for a free one. */
export interface Connections {
  busy: number;
  idle: number;
  waiting: number;
}

/** In seconds. From a health check to a submission whose bucket is checked, which may take 15 s. */
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** In seconds. A slice ends after two minutes; packaging a million files and removing a large dataset take longer. */
const JOB_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 120, 300, 900, 3600];

/**
 * What this process counts, as Prometheus reads it. Labels come from what is known beforehand (routes, queues, codes of
 * problems), never from a caller, so that there are few of them and none tells on anybody.
 */
export class Metrics {
  readonly registry = new Registry();
  readonly #requests = new Histogram({
    name: "accession_http_request_duration_seconds",
    help: "Requests that were answered, and how long it took; of an event stream until it began.",
    labelNames: ["method", "route", "status"],
    buckets: REQUEST_SECONDS,
    registers: [this.registry],
  });
  readonly #jobs = new Histogram({
    name: "accession_job_duration_seconds",
    help: "Jobs that this process worked on, and how long; a step of a submission is one job or many.",
    labelNames: ["queue", "outcome"],
    buckets: JOB_SECONDS,
    registers: [this.registry],
  });
  readonly #storedObjects = new Counter({
    name: "accession_stored_objects_total",
    help: "Objects that this process stored.",
    registers: [this.registry],
  });
  readonly #storedBytes = new Counter({
    name: "accession_stored_bytes_total",
    help: "Bytes of objects that this process stored.",
    registers: [this.registry],
  });
  readonly #unreadable = new Counter({
    name: "accession_unreadable_objects_total",
    help: "Objects that this process could not read, by the code of the problem.",
    labelNames: ["code"],
    registers: [this.registry],
  });
  readonly #sourceErrors = new Counter({
    name: "accession_source_errors_total",
    help: "Requests of this process to callers’ endpoints that failed, by the code of the problem; those that were tried again, too.",
    labelNames: ["code"],
    registers: [this.registry],
  });
  readonly #notices = new Counter({
    name: "accession_notices_total",
    help: "Tries of this process to deliver to a webhook or to hand in a mail, and how they ended; what is given up untried, too.",
    labelNames: ["kind", "outcome"],
    registers: [this.registry],
  });
  readonly #refreshers: (() => void | Promise<void>)[] = [];

  constructor(build: { version: string; role: string }) {
    collectDefaultMetrics({ register: this.registry });
    // What is not there cannot be seen to begin; and there are few of them.
    for (const kind of NOTICE_KINDS) {
      for (const outcome of NOTICE_OUTCOMES) this.#notices.inc({ kind, outcome }, 0);
    }
    new Gauge({
      name: "accession_build_info",
      help: "Always 1; its labels say what runs.",
      labelNames: ["version", "role"],
      registers: [this.registry],
    }).set(build, 1);
  }

  request(labels: { method: string; route: string; status: number }, seconds: number): void {
    this.#requests.observe(labels, seconds);
  }

  job(labels: { queue: string; outcome: JobOutcome }, seconds: number): void {
    this.#jobs.observe(labels, seconds);
  }

  stored(objects: number, bytes: number): void {
    this.#storedObjects.inc(objects);
    this.#storedBytes.inc(bytes);
  }

  unreadable(code: string): void {
    this.#unreadable.inc({ code });
  }

  sourceFailed(code: string, times = 1): void {
    this.#sourceErrors.inc({ code }, times);
  }

  noticed(kind: NoticeKind, outcome: NoticeOutcome, count = 1): void {
    this.#notices.inc({ kind, outcome }, count);
  }

  /** Shows the connections to the database, as they are when somebody asks. */
  showConnections(connections: () => Connections): void {
    const gauge = new Gauge({
      name: "accession_database_connections",
      help: "Connections of this process to the database, busy or idle, and who waits for one.",
      labelNames: ["state"],
      registers: [this.registry],
    });
    this.beforeText(() => {
      for (const [state, count] of Object.entries(connections())) gauge.set({ state }, count);
    });
  }

  /** Has something looked at whenever somebody asks for the metrics. It must not reject. */
  beforeText(refresh: () => void | Promise<void>): void {
    this.#refreshers.push(refresh);
  }

  /** All of it, in Prometheus’ text format (version 0.0.4). */
  async text(): Promise<string> {
    await Promise.all(this.#refreshers.map((refresh) => refresh()));
    return this.registry.metrics();
  }
}
