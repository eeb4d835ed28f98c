import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** Outcome of a job: completed, stopped its submission, failed and will be retried, or returned to the queue. */
export type JobOutcome = "done" | "halted" | "failed" | "interrupted";

/** Kinds of notifications. */
const NOTICE_KINDS = ["webhook", "mail"] as const;
type NoticeKind = (typeof NOTICE_KINDS)[number];
/** Outcome of a try: accepted by the recipient, failed and will be retried, or given up. */
const NOTICE_OUTCOMES = ["delivered", "failed", "given_up"] as const;
type NoticeOutcome = (typeof NOTICE_OUTCOMES)[number];

/** Connections of this process to the database: number of active and idle ones, and of calls that wait for a free one. */
export interface Connections {
  busy: number;
  idle: number;
  waiting: number;
}

/** In seconds. From a health check to a submission whose bucket is checked, which may take minutes. */
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120, 300];
/** In seconds. A slice ends after two minutes; packaging a million files and removing a large dataset take longer. */
const JOB_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 120, 300, 900, 3600];

/**
 * The metrics of this process for Prometheus. Label values come from fixed sets (routes, queues, problem codes) and never from
 * a caller, so that their number is small and they contain no personal data.
 */
export class Metrics {
  readonly registry = new Registry();
  readonly #requests = new Histogram({
    name: "accession_http_request_duration_seconds",
    help: "Duration of answered requests; for an event stream, until it began.",
    labelNames: ["method", "route", "status"],
    buckets: REQUEST_SECONDS,
    registers: [this.registry],
  });
  readonly #jobs = new Histogram({
    name: "accession_job_duration_seconds",
    help: "Duration of the jobs that this process ran. A step of a submission consists of one or more jobs.",
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
    help: "Objects that this process could not read, by problem code.",
    labelNames: ["code"],
    registers: [this.registry],
  });
  readonly #sourceErrors = new Counter({
    name: "accession_source_errors_total",
    help: "Failed requests of this process to data sources, by problem code, including requests that were retried.",
    labelNames: ["code"],
    registers: [this.registry],
  });
  readonly #notices = new Counter({
    name: "accession_notices_total",
    help: "Tries of this process to deliver a webhook or a mail, by outcome, including those given up without a try.",
    labelNames: ["kind", "outcome"],
    registers: [this.registry],
  });
  readonly #refreshers: (() => void | Promise<void>)[] = [];

  constructor(build: { version: string; role: string }) {
    collectDefaultMetrics({ register: this.registry });
    // Initialised with 0, so that monitoring detects the first increment. There are only a few combinations.
    for (const kind of NOTICE_KINDS) {
      for (const outcome of NOTICE_OUTCOMES) this.#notices.inc({ kind, outcome }, 0);
    }
    new Gauge({
      name: "accession_build_info",
      help: "Always 1; the labels state the version and runtime.",
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

  /** Registers a gauge of the database connections, which is read at each scrape. */
  showConnections(connections: () => Connections): void {
    const gauge = new Gauge({
      name: "accession_database_connections",
      help: "Connections of this process to the database: busy, idle, and calls that wait for one.",
      labelNames: ["state"],
      registers: [this.registry],
    });
    this.beforeText(() => {
      for (const [state, count] of Object.entries(connections())) gauge.set({ state }, count);
    });
  }

  /** Registers a gauge that says at each scrape whether this process reaches its archive. @param isUp must not reject */
  showArchive(isUp: () => Promise<boolean>): void {
    const gauge = new Gauge({
      name: "accession_archive_up",
      help: "Whether this process reaches the archive that it has opened (1 or 0).",
      registers: [this.registry],
    });
    this.beforeText(async () => gauge.set((await isUp()) ? 1 : 0));
  }

  /** Registers a function that runs before each scrape. It must not reject. */
  beforeText(refresh: () => void | Promise<void>): void {
    this.#refreshers.push(refresh);
  }

  /** All metrics in Prometheus’ text format (version 0.0.4). */
  async text(): Promise<string> {
    await Promise.all(this.#refreshers.map((refresh) => refresh()));
    return this.registry.metrics();
  }
}
