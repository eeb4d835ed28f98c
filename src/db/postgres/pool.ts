/**
 * What the service needs of a PostgreSQL driver: the part of node-postgres that Kysely's dialect and pg-boss use.
 * The embedded database and a real server both come in this shape, so nothing above knows which one it talks to.
 */

export interface QueryResult {
  rows: Record<string, unknown>[];
  rowCount: number | null;
  command: string;
}

export interface PoolClient {
  /**
   * Runs one statement with parameters, or any number of statements without. Rejects with the server's error
   * (`code` holds the SQLSTATE); a failed statement leaves an open transaction aborted, as in PostgreSQL.
   */
  query(sql: string, parameters?: readonly unknown[]): Promise<QueryResult>;
  /** Gives the connection back. Must be called exactly once. */
  release(): void;
}

/** How many connections are at work or at rest, and how many wait for a free one. */
export interface Connections {
  busy: number;
  idle: number;
  waiting: number;
}

export interface Pool {
  connect(): Promise<PoolClient>;
  connections(): Connections;
  /** The same pool for those whom somebody waits for: where connections are scarce they come first. */
  urgent(): Pool;
  /** Of an {@link urgent} one it does nothing. */
  end(): Promise<void>;
}

/** Runs statements that stand alone, each on any connection: what pg-boss calls a database. */
export interface Executor {
  executeSql(sql: string, parameters?: unknown[]): Promise<{ rows: unknown[] }>;
}

/** An executor over a pool; a failed multi-statement block is rolled back before the connection is given back. */
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
