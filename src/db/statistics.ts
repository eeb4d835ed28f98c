import { sql } from "kysely";
import { STATUSES, type Status } from "../domain/submission/states.ts";
import { PUBLICATION_STATES, type PublicationState } from "../publication/rules/states.ts";
import type { Queries } from "./database.ts";
import { auditRun, damagedDatasets } from "./datasets/audits.ts";
import { isDelayedNow } from "./publication/delayed.ts";

/** Statistics of all submissions and of the audit, for monitoring. They contain no names. */
interface Statistics {
  /** One entry per status, also with a count of 0. */
  submissions: { status: Status; count: number }[];
  /** Submissions that wait or have failed, by cause and by the party that must act. */
  stopped: { status: "waiting" | "failed"; code: string; fault: string; count: number }[];
  /** With the seconds for which the oldest one has been in its state; 0 without any. */
  publications: { state: PublicationState; count: number; oldestSeconds: number }[];
  /** Publications and reservations of DOIs that a problem delays (`isDelayed`), by cause and by the party that must act. */
  delayed: { code: string; fault: string; count: number }[];
  /** Registered DOIs that differ from the archive, according to the last comparison. */
  differentDois: number;
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
    ) as stopped
    group by 1, 2, 3`.execute(db);
  const run = await auditRun(db);
  return {
    submissions: STATUSES.map((status) => ({ status, count: sum(rows.filter((row) => row.status === status)) })),
    stopped: rows.flatMap(({ status, code, fault, count }) =>
      (status === "waiting" || status === "failed") && code !== null && fault !== null
        ? [{ status, code, fault, count }]
        : [],
    ),
    ...(await publicationStatistics(db)),
    audit: {
      datasets: run?.objects ?? 0,
      bytes: run?.bytes ?? 0,
      faults: run?.faults ?? 0,
      damaged: await damagedDatasets(db),
      lastRun: (run?.began_at.getTime() ?? 0) / 1000,
    },
  };
}

async function publicationStatistics(
  db: Queries,
): Promise<Pick<Statistics, "publications" | "delayed" | "differentDois">> {
  const { rows } = await sql<PublicationCount>`
    select state, problem ->> 'code' as code, problem ->> 'fault' as fault, count(*)::int as count, min(since) as oldest
    from (
      select state, since, case when ${isDelayedNow(sql`problem`)} then problem end as problem from publication
    ) as publication
    group by 1, 2, 3`.execute(db);
  const { rows: reservations } = await sql<{ code: string; fault: string; count: number }>`
    select problem ->> 'code' as code, problem ->> 'fault' as fault, count(*)::int as count
    from doi where ${isDelayedNow(sql`problem`)} and state in ('chosen', 'draft', 'abandoned') group by 1, 2`.execute(
    db,
  );
  const dois = await sql<{ count: number }>`
    select count(*)::int as count from doi
    where state = 'findable' and jsonb_array_length(coalesce(differences, '[]')) > 0`.execute(db);
  return {
    publications: PUBLICATION_STATES.map((state) => {
      const own = rows.filter((row) => row.state === state);
      return { state, count: sum(own), oldestSeconds: oldestSeconds(own) };
    }),
    delayed: delays([...rows, ...reservations]),
    differentDois: dois.rows[0]?.count ?? 0,
  };
}

interface PublicationCount {
  state: PublicationState;
  code: string | null;
  fault: string | null;
  count: number;
  oldest: Date;
}

/** Adds up what has the same cause. */
function delays(rows: readonly Pick<PublicationCount, "code" | "fault" | "count">[]): Statistics["delayed"] {
  const found = new Map<string, Statistics["delayed"][number]>();
  for (const { code, fault, count } of rows) {
    if (code === null || fault === null) continue;
    const key = `${code} ${fault}`;
    found.set(key, { code, fault, count: count + (found.get(key)?.count ?? 0) });
  }
  return [...found.values()];
}

function oldestSeconds(rows: readonly PublicationCount[]): number {
  if (rows.length === 0) return 0;
  const since = Math.min(...rows.map(({ oldest }) => oldest.getTime()));
  return Math.max(0, Math.round((Date.now() - since) / 1_000));
}

function sum(rows: readonly { count: number }[]): number {
  return rows.reduce((total, { count }) => total + count, 0);
}
