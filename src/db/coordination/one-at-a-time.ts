import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Database } from "../database.ts";

const LOCK_TIMEOUT_MS = 120_000;
const LOOK_MS = 200;

/**
 * Runs work that the processes of a database must not do at the same time; other processes wait. The lock ends with its
 * connection, so a crashed process does not block others. The work uses other connections than the lock.
 *
 * @throws Error if another process holds the lock for two minutes
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
      if (Date.now() > end)
        throw new Error(`Another process has been busy with the ${name} for two minutes. Try again later`);
    }
    try {
      return await work();
    } finally {
      await sql`select pg_advisory_unlock(${key})`.execute(connection);
    }
  });
}
