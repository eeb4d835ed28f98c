import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { auditRun, damagedDatasets } from "../db/audits.ts";
import type { Queries } from "../db/open.ts";

/** How much of one kind of work there is. */
interface Depth {
  queue: string;
  waiting: number;
  running: number;
}

/** The metrics of the service; each call gives them as Prometheus text. */
export function serviceMetrics(db: Queries, depths: () => Promise<Depth[]>): () => Promise<string> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: "accession_submissions",
    help: "Submissions by status.",
    labelNames: ["status"],
    registers: [registry],
    async collect() {
      this.reset();
      const rows = await db
        .selectFrom("submission")
        .select((eb) => ["status", eb.fn.countAll<number>().as("count")])
        .groupBy("status")
        .execute();
      for (const { status, count } of rows) this.set({ status }, Number(count));
    },
  });
  new Gauge({
    name: "accession_jobs",
    help: "Jobs that wait or run, by queue, on all workers together.",
    labelNames: ["queue", "state"],
    registers: [registry],
    async collect() {
      for (const { queue, waiting, running } of await depths()) {
        this.set({ queue, state: "waiting" }, waiting);
        this.set({ queue, state: "running" }, running);
      }
    },
  });
  addAuditMetrics(registry, db);
  return () => registry.metrics();
}

/** What the audit came to, over all runs of this database. */
function addAuditMetrics(registry: Registry, db: Queries): void {
  const totals = {
    objects: ["accession_audit_datasets_total", "Datasets that were read again whole."],
    bytes: ["accession_audit_bytes_total", "Bytes of archived datasets that were read again."],
    faults: ["accession_audit_faults_total", "Things that were found wrong with archived datasets."],
  } as const;
  for (const [column, [name, help]] of Object.entries(totals)) {
    new Counter({
      name,
      help,
      registers: [registry],
      async collect() {
        const run = await auditRun(db);
        this.reset();
        this.inc(run?.[column as keyof typeof totals] ?? 0);
      },
    });
  }
  new Gauge({
    name: "accession_audit_damaged_datasets",
    help: "Datasets with which something was wrong when they were last read.",
    registers: [registry],
    async collect() {
      this.set(await damagedDatasets(db));
    },
  });
  new Gauge({
    name: "accession_audit_last_run_timestamp_seconds",
    help: "When the last run of the audit began (Unix time); 0 before the first.",
    registers: [registry],
    async collect() {
      this.set(((await auditRun(db))?.began_at.getTime() ?? 0) / 1000);
    },
  });
}
