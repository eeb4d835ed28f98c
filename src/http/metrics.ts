import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import type { Queries } from "../db/open.ts";

/** The metrics of the service; each call gives them as Prometheus text. */
export function serviceMetrics(db: Queries): () => Promise<string> {
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
  return () => registry.metrics();
}
