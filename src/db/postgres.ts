import pg from "pg";
import type { Bell } from "./bell.ts";
import type { Pool, QueryResult } from "./pool.ts";
import { PostgresBell } from "./postgres-bell.ts";

/** int8 columns count objects and bytes, which stay below 2^53; the embedded database gives numbers too. */
const INT8 = 20;
/** How long anybody waits for a connection, also for a free one of the pool. */
const CONNECT_MS = 5_000;
/** Longer than any statement takes; after it the way to the server counts as broken, whatever TCP still believes. */
const STATEMENT_MS = 120_000;
/** A process that stands still in the middle of a transaction must not keep others from what it has locked. */
const IDLE_IN_TRANSACTION_MS = 10_000;

/** Opens a pool on a PostgreSQL server (15 or newer). Connections are made when they are needed, so many at most. */
export function openPostgres(url: string, connections: number): Pool & { bell: Bell } {
  const settings = clientSettings(url);
  const pool = new pg.Pool({ ...settings, max: connections, connectionTimeoutMillis: CONNECT_MS });
  // A connection that breaks is replaced at the next use, and whoever waits on it for an answer is told. While it is
  // lent out the pool does not listen, and an error that nobody hears ends the process.
  pool.on("error", () => undefined).on("connect", (client) => client.on("error", () => undefined));
  const bell = new PostgresBell(() => new pg.Client(settings));
  const connect = async () => {
    const client = await pool.connect();
    let isBroken = false;
    return {
      async query(sql: string, parameters?: readonly unknown[]): Promise<QueryResult> {
        try {
          return asOne(await client.query(sql, parameters === undefined ? undefined : [...parameters]));
        } catch (error) {
          // What the server says leaves the connection as it is; anything else leaves it in an unknown state.
          isBroken ||= !(error instanceof pg.DatabaseError);
          throw error;
        }
      },
      release: () => client.release(isBroken),
    };
  };
  const shared: Pool = { connect, urgent: () => shared, end: async () => undefined };
  return {
    ...shared,
    bell: {
      on: (channel, listener) => bell.on(channel, listener),
      ring: (channel, text) => void bell.ring(channel, text, shared),
    },
    async end() {
      await bell.close();
      await pool.end();
    },
  };
}

function clientSettings(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: "accession",
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: STATEMENT_MS,
    options: `-c TimeZone=UTC -c idle_in_transaction_session_timeout=${IDLE_IN_TRANSACTION_MS}`,
    types: {
      getTypeParser: (oid: number, format?: "text" | "binary") =>
        oid === INT8 ? Number : pg.types.getTypeParser(oid, format as "text"),
    } as pg.CustomTypesConfig,
  };
}

function asOne(result: pg.QueryResult | pg.QueryResult[]): QueryResult {
  if (!Array.isArray(result)) return result;
  const last = result.at(-1);
  return {
    rows: result.flatMap((one) => one.rows),
    rowCount: last?.rowCount ?? null,
    command: last?.command ?? "",
  };
}
