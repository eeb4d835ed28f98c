/**
 * The interface of a PostgreSQL driver: the part of node-postgres that Kysely's dialect and pg-boss use. The embedded
 * database and a PostgreSQL server both implement it, so that other modules do not depend on which one is used.
 */

export interface QueryResult {
  rows: Record<string, unknown>[];
  rowCount: number | null;
  command: string;
}

export interface PoolClient {
  /**
   * Runs one statement with parameters, or any number of statements without. Rejects with the server's error
   * (`code` is the SQLSTATE); a failed statement leaves an open transaction aborted, as in PostgreSQL.
   */
  query(sql: string, parameters?: readonly unknown[]): Promise<QueryResult>;
  /** Returns the connection to the pool. Must be called exactly once. */
  release(): void;
}

/** Number of active and idle connections, and of calls that wait for a free one. */
export interface Connections {
  busy: number;
  idle: number;
  waiting: number;
}

export interface Pool {
  connect(): Promise<PoolClient>;
  connections(): Connections;
  /** The same pool for requests: if connections are scarce, they have priority. */
  urgent(): Pool;
  /** Closes the pool. Has no effect on an {@link urgent} pool. */
  end(): Promise<void>;
}

/** Runs independent statements, each on any connection: the interface that pg-boss requires. */
export interface Executor {
  executeSql(sql: string, parameters?: unknown[]): Promise<{ rows: unknown[] }>;
}

/** An executor over a pool; a failed multi-statement block is rolled back before the connection is returned. */
export function executorOf(pool: Pool): Executor {
  return {
    async executeSql(sql, parameters) {
      const client = await pool.connect();
      try {
        return await client.query(sql, parameters);
      } catch (error) {
        await client.query("ROLLBACK").catch(() => undefined);
        throw error;
      } finally {
        client.release();
      }
    },
  };
}
