import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Database } from "../database.ts";

const LOCK_TIMEOUT_MS = 120_000;
const LOOK_MS = 200;

/**
 * Does what the processes of a database must not do at the same time; the others wait. Ends with the connection, so that
 * a process that dies keeps nobody waiting. What the work asks the database goes over other connections than the one that
 * holds the others off.
 *
 * @throws Error when another process is at it for minutes
 */
export async function oneAtATime<T>({ queries, embedded }: Database, name: string, work: () => Promise<T>): Promise<T> {
  if (embedded) return work();
  return queries.connection().execute(async (connection) => {
    const key = sql`hashtextextended(${name}, 2)`;
    const taken = async () => {
      const { rows } = await sql<{ taken: boolean }>`select pg_try_advisory_lock(${key}) as taken`.execute(connection);
      return rows[0]?.taken === true;
    };
    for (const end = Date.now() + LOCK_TIMEOUT_MS; !(await taken()); await sleep(LOOK_MS)) {
      if (Date.now() > end) throw new Error(`Another process has not done with the ${name} for two minutes; try again`);
    }
    try {
      return await work();
    } finally {
      await sql`select pg_advisory_unlock(${key})`.execute(connection);
    }
  });
}
