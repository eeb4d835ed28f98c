import { sql } from "kysely";
import type { Database } from "./open.ts";

/**
 * Does what the processes of a database must not do at the same time; the others wait. Ends with the connection, so that
 * a process that dies keeps nobody waiting. What the work asks the database goes over other connections than the one that
 * holds the others off.
 */
export async function oneAtATime<T>({ queries, embedded }: Database, name: string, work: () => Promise<T>): Promise<T> {
  if (embedded) return work();
  return queries.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(hashtextextended(${name}, 2))`.execute(connection);
    try {
      return await work();
    } finally {
      await sql`select pg_advisory_unlock(hashtextextended(${name}, 2))`.execute(connection);
    }
  });
}
