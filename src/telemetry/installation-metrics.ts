import { Counter, Gauge } from "prom-client";
import type { Metrics } from "./metrics.ts";

/** What an answer costs may be at most this part of the time. */
const SHARE = 0.01;

const LONGEST_MS = 60_000;

const QUERY_TIMEOUT_MS = 6_000;

/** The figures of all processes together, as the database knows them. */
interface Installation {
  submissions: readonly { status: string; count: number }[];
  /** Submissions that wait or have failed, by cause and by the party who must act. */
  standing: readonly { status: "waiting" | "failed"; code: string; fault: string; count: number }[];
  /** What the audit came to, over all runs; times are Unix seconds, 0 before the first run. */
  audit: { datasets: number; bytes: number; faults: number; damaged: number; lastRun: number };
  jobs: readonly { queue: string; waiting: number; running: number; oldestSeconds: number }[];
}

/**
 * Shows what is about the whole installation. While the database does not answer there is nothing of it but
 * `accession_database_up`, which is then 0.
 *
 * @param failed told why the database could not be asked
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

/** Whoever monitors waits ten seconds as a rule, and is to be told of the process all the same. */
async function inTime<T>(asked: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("The database does not answer in time")), QUERY_TIMEOUT_MS);
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Makes the gauges; what is given back sets all of them at once. */
function gaugesOf({ registry }: Metrics): (figures: Installation | undefined) => void {
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const counter = (name: string, help: string) => new Counter({ name, help, registers: [registry] });
  const up = gauge("accession_database_up", "Whether the database answered when it was asked for these figures.");
  const submissions = gauge("accession_submissions", "Submissions by status.", ["status"]);
  const standing = {
    waiting: gauge("accession_submissions_waiting", "Waiting submissions, by what for and whose turn it is.", [
      "code",
      "fault",
    ]),
    failed: gauge("accession_submissions_failed", "Failed submissions, by why and whose fault it was.", [
      "code",
      "fault",
    ]),
  };
  const jobs = gauge("accession_jobs", "Jobs that wait or run, by queue, on all workers together.", ["queue", "state"]);
  const oldest = gauge("accession_jobs_oldest_waiting_seconds", "How long the job that is due longest has waited.", [
    "queue",
  ]);
  const audited = {
    datasets: counter("accession_audit_datasets_total", "Datasets that were read again whole."),
    bytes: counter("accession_audit_bytes_total", "Bytes of archived datasets that were read again."),
    faults: counter("accession_audit_faults_total", "Things that were found wrong with archived datasets."),
  };
  const damaged = gauge(
    "accession_audit_damaged_datasets",
    "Datasets with which something was wrong when they were last read.",
  );
  const lastRun = gauge(
    "accession_audit_last_run_timestamp_seconds",
    "When the last run of the audit began (Unix time); 0 before the first.",
  );
  const all = [submissions, standing.waiting, standing.failed, jobs, oldest, ...Object.values(audited)];
  return (figures) => {
    up.set(figures === undefined ? 0 : 1);
    for (const metric of [...all, damaged, lastRun]) metric.reset();
    if (figures === undefined) {
      // Without labels they would be 0 again, which nobody knows.
      for (const metric of [...Object.values(audited), damaged, lastRun]) metric.remove();
      return;
    }
    for (const { status, count } of figures.submissions) submissions.set({ status }, count);
    for (const { status, code, fault, count } of figures.standing) standing[status].set({ code, fault }, count);
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
 * Asks no more often than does no harm: an answer is given again for a hundred times as long as it took to get (at most a
 * minute), and all who ask meanwhile share it. A failure is for those alone who waited for it.
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
