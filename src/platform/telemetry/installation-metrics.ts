import { Counter, Gauge } from "prom-client";
import type { Metrics } from "./metrics.ts";

/** States of a publication that are to be left; the time in the others does not matter. */
const OPEN_STATES = ["in_review", "changes_requested", "approved", "registering"];

/** Maximum fraction of time spent on these queries. */
const SHARE = 0.01;

const LONGEST_MS = 60_000;

const QUERY_TIMEOUT_MS = 6_000;

/** Statistics of all processes together, from the database. */
interface Installation {
  submissions: readonly { status: string; count: number }[];
  /** Submissions that wait or have failed, by cause and by the party that must act. */
  stopped: readonly { status: "waiting" | "failed"; code: string; fault: string; count: number }[];
  publications: readonly { state: string; count: number; oldestSeconds: number }[];
  /** Publications whose registration is delayed, by cause and by the party that must act. */
  delayed: readonly { code: string; fault: string; count: number }[];
  /** Registered DOIs that differ from the archive. */
  differentDois: number;
  /** Totals of the audit over all runs; times are Unix seconds, 0 before the first run. */
  audit: { datasets: number; bytes: number; faults: number; damaged: number; lastRun: number };
  jobs: readonly { queue: string; waiting: number; running: number; oldestSeconds: number }[];
}

/**
 * Registers the metrics of the whole installation. While the database does not answer, only `accession_database_up` is
 * exported, with the value 0.
 *
 * @param failed called with the error if the database cannot be queried
 */
export function registerInstallationMetrics(
  metrics: Metrics,
  read: () => Promise<Installation>,
  failed: (error: unknown) => void,
): void {
  const show = gaugesOf(metrics);
  const ask = cachedByCost(read);
  metrics.beforeText(async () => {
    const figures = await inTime(ask()).catch((error: unknown) => {
      failed(error);
      return undefined;
    });
    show(figures);
  });
}

/** Limits the query time. Monitoring usually waits ten seconds, and must receive the metrics of the process in any case. */
async function inTime<T>(asked: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("The database did not answer in time")), QUERY_TIMEOUT_MS);
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Creates the gauges. Returns a function that sets all of them. */
function gaugesOf({ registry }: Metrics): (figures: Installation | undefined) => void {
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const counter = (name: string, help: string) => new Counter({ name, help, registers: [registry] });
  const up = gauge("accession_database_up", "Whether the database answered the query for these metrics (1 or 0).");
  const submissions = gauge("accession_submissions", "Submissions by status.", ["status"]);
  const stopped = {
    waiting: gauge("accession_submissions_waiting", "Waiting submissions, by cause and by the party that must act.", [
      "code",
      "fault",
    ]),
    failed: gauge("accession_submissions_failed", "Failed submissions, by cause and by the party that must act.", [
      "code",
      "fault",
    ]),
  };
  const publications = gauge("accession_publications", "Publications of dataset versions by state.", ["state"]);
  const oldestPublication = gauge(
    "accession_publications_oldest_seconds",
    "Time for which the oldest publication has been in a state in which a party must act; 0 without any.",
    ["state"],
  );
  const delayed = gauge(
    "accession_publications_delayed",
    "Publications and reservations of DOIs that a problem delays, by cause and by the party that must act.",
    ["code", "fault"],
  );
  const different = gauge("accession_dois_different", "Registered DOIs that differ from the archive.");
  const jobs = gauge("accession_jobs", "Waiting and running jobs of all workers, by queue.", ["queue", "state"]);
  const oldest = gauge("accession_jobs_oldest_waiting_seconds", "Waiting time of the job that was due first.", [
    "queue",
  ]);
  const audited = {
    datasets: counter("accession_audit_datasets_total", "Datasets that audits have read completely."),
    bytes: counter("accession_audit_bytes_total", "Bytes of archived datasets that audits have read."),
    faults: counter("accession_audit_faults_total", "Faults that audits have found in archived datasets."),
  };
  const damaged = gauge("accession_audit_damaged_datasets", "Datasets in which the last audit found faults.");
  const lastRun = gauge(
    "accession_audit_last_run_timestamp_seconds",
    "Start of the last audit run (Unix time); 0 before the first.",
  );
  const all = [
    publications,
    oldestPublication,
    delayed,
    submissions,
    stopped.waiting,
    stopped.failed,
    jobs,
    oldest,
    ...Object.values(audited),
  ];
  return (figures) => {
    up.set(figures === undefined ? 0 : 1);
    for (const metric of [...all, damaged, lastRun, different]) metric.reset();
    if (figures === undefined) {
      // Metrics without labels would be reset to 0, which would be wrong.
      for (const metric of [...Object.values(audited), damaged, lastRun, different]) metric.remove();
      return;
    }
    for (const { status, count } of figures.submissions) submissions.set({ status }, count);
    for (const { status, code, fault, count } of figures.stopped) stopped[status].set({ code, fault }, count);
    for (const { state, count, oldestSeconds } of figures.publications) {
      publications.set({ state }, count);
      if (OPEN_STATES.includes(state)) oldestPublication.set({ state }, oldestSeconds);
    }
    for (const { code, fault, count } of figures.delayed) delayed.set({ code, fault }, count);
    different.set(figures.differentDois);
    for (const { queue, waiting, running, oldestSeconds } of figures.jobs) {
      jobs.set({ queue, state: "waiting" }, waiting);
      jobs.set({ queue, state: "running" }, running);
      oldest.set({ queue }, oldestSeconds);
    }
    audited.datasets.inc(figures.audit.datasets);
    audited.bytes.inc(figures.audit.bytes);
    audited.faults.inc(figures.audit.faults);
    damaged.set(figures.audit.damaged);
    lastRun.set(figures.audit.lastRun);
  };
}

/**
 * Caches an answer for a hundred times as long as the query took (at most a minute). Concurrent callers share a query. A
 * failure is not cached.
 */
export function cachedByCost<T>(ask: () => Promise<T>): () => Promise<T> {
  let shared: Promise<T> | undefined;
  let until = Number.POSITIVE_INFINITY;
  return () => {
    if (shared !== undefined && performance.now() < until) return shared;
    const began = performance.now();
    until = Number.POSITIVE_INFINITY;
    const asked = ask();
    shared = asked;
    asked.then(
      () => {
        const took = performance.now() - began;
        until = began + took + Math.min(took / SHARE, LONGEST_MS);
      },
      () => {
        shared = undefined;
      },
    );
    return asked;
  };
}
