import { sql } from "kysely";
import { STATUSES, type Status } from "../domain/states.ts";
import type { Queries } from "./database.ts";
import { auditRun, damagedDatasets } from "./datasets/audits.ts";

/** Statistics of all submissions and of the audit, for monitoring. They contain no names. */
interface Statistics {
  /** One entry per status, also with a count of 0. */
  submissions: { status: Status; count: number }[];
  /** Submissions that wait or have failed, by cause and by the party that must act. */
  standing: { status: "waiting" | "failed"; code: string; fault: string; count: number }[];
  /** Totals of all runs; `lastRun` is Unix time in seconds, 0 before the first. */
  audit: { datasets: number; bytes: number; faults: number; damaged: number; lastRun: number };
}

/** Reads the statistics in one pass over the submissions. */
export async function readStatistics(db: Queries): Promise<Statistics> {
  const { rows } = await sql<{ status: Status; code: string | null; fault: string | null; count: number }>`
    select status, standstill ->> 'code' as code, standstill ->> 'fault' as fault, count(*)::int as count
    from (
      select status, case status when 'waiting' then waiting when 'failed' then failure end as standstill
      from submission
    ) as standing
    group by 1, 2, 3`.execute(db);
  const run = await auditRun(db);
  return {
    submissions: STATUSES.map((status) => ({ status, count: sum(rows.filter((row) => row.status === status)) })),
    standing: rows.flatMap(({ status, code, fault, count }) =>
      (status === "waiting" || status === "failed") && code !== null && fault !== null
        ? [{ status, code, fault, count }]
        : [],
    ),
    audit: {
      datasets: run?.objects ?? 0,
      bytes: run?.bytes ?? 0,
      faults: run?.faults ?? 0,
      damaged: await damagedDatasets(db),
      lastRun: (run?.began_at.getTime() ?? 0) / 1000,
    },
  };
}

function sum(rows: readonly { count: number }[]): number {
  return rows.reduce((total, { count }) => total + count, 0);
}
