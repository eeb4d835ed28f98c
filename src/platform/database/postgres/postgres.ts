import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Notifications } from "../notifications.ts";
import { CHANNELS, type Channel, Listeners } from "../notifications.ts";
import type { Pool, QueryResult } from "./pool.ts";

const RECONNECT_MS = 1_000;

/** Silence after which the listening connection is checked. */
const ASK_MS = 15_000;

/** Runs statements on the connection that listens. */
type ConnectionWork = (query: (text: string) => Promise<Record<string, unknown>[]>) => Promise<void>;

/** A pool on a PostgreSQL server, and the connection beside it that listens. */
export interface PostgresPool extends Pool {
  notifications: Notifications;
  /** See {@link PostgresNotifier.onConnection}. */
  onConnection(work: ConnectionWork): Promise<void>;
}

/** Notifications through a PostgreSQL server: LISTEN on a separate connection, which is reopened if it fails. */
class PostgresNotifier {
  readonly #listeners = new Listeners();
  readonly #make: () => pg.Client;
  readonly #closing = new AbortController();
  #listening: Promise<void> | undefined;
  #work: ConnectionWork | undefined;
  /** The first try of the work. */
  readonly #tried = Promise.withResolvers<void>();

  constructor(make: () => pg.Client) {
    this.#make = make;
    // Without work, no call waits for it.
    this.#tried.promise.catch(() => undefined);
  }

  /** Adds a listener. The first one opens the connection. */
  on(channel: Channel, listener: (text: string) => void): () => void {
    this.#listening ??= this.#listen();
    return this.#listeners.on(channel, listener);
  }

  /**
   * Runs work on the connection, and again whenever it was reopened; if the work fails, the connection is reopened.
   * @throws the error of the first try
   */
  async onConnection(work: ConnectionWork): Promise<void> {
    this.#work = work;
    this.#listening ??= this.#listen();
    await this.#tried.promise;
  }

  async send(channel: Channel, text: string, pool: Pool): Promise<void> {
    try {
      const client = await pool.connect();
      try {
        await client.query("select pg_notify($1, $2)", [CHANNELS[channel], text]);
      } finally {
        client.release();
      }
    } catch {
      // Listeners also poll, and an unavailable database is reported by the operations that need it.
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#listening;
  }

  async #listen(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      const client = this.#make();
      try {
        await this.#hear(client, signal);
      } catch (error) {
        this.#tried.reject(error);
        // The next round opens another connection; until then, listeners poll.
        await sleep(RECONNECT_MS, undefined, { signal }).catch(() => undefined);
      } finally {
        await client.end().catch(() => undefined);
      }
    }
  }

  /** Resolves when the notifier is closed, rejects if the connection fails. */
  async #hear(client: pg.Client, signal: AbortSignal): Promise<void> {
    const broken = new Promise<never>((_, reject) => {
      client.on("error", reject).on("end", () => reject(new Error("The connection has ended")));
    });
    broken.catch(() => undefined);
    client.on("notification", ({ channel, payload }) => this.#listeners.hear(channel, payload ?? ""));
    await client.connect();
    for (const channel of Object.values(CHANNELS)) await client.query(`listen ${channel}`);
    await Promise.race([broken, this.#work?.(async (text) => (await client.query(text)).rows)]);
    this.#tried.resolve();
    while (!signal.aborted) {
      await Promise.race([broken, sleep(ASK_MS, undefined, { signal }).catch(() => undefined)]);
      if (!signal.aborted) await Promise.race([broken, client.query("select 1")]);
    }
  }
}

/** int8 columns count objects and bytes, which stay below 2^53. They are parsed as numbers, as by the embedded database. */
const INT8 = 20;
/** Maximum time to wait for a connection, including a free one of the pool. */
const CONNECT_MS = 5_000;
/** Maximum time of a statement. After it the connection counts as failed, even if TCP has not noticed. */
const STATEMENT_MS = 30_000;
/** Silence after which either side checks the connection. */
const KEEP_ALIVE_MS = 15_000;
/** Ends the transaction of a suspended process, so that its locks do not block others. */
const IDLE_IN_TRANSACTION_MS = 10_000;

/**
 * Opens a pool on a PostgreSQL server (15 or newer). Connections are opened on demand, up to the maximum.
 * @param statementMs maximum time of a statement
 */
export function openPostgres(url: string, connections: number, statementMs: number = STATEMENT_MS): PostgresPool {
  const settings = clientSettings(url, statementMs);
  const pool = new pg.Pool({ ...settings, max: connections, connectionTimeoutMillis: CONNECT_MS });
  // A failed connection is replaced at its next use, and its pending query rejects. The pool does not listen for errors of
  // connections in use, and an unhandled error event would end the process.
  pool.on("error", () => undefined).on("connect", (client) => client.on("error", () => undefined));
  const notifier = new PostgresNotifier(() => new pg.Client(settings));
  const connect = async () => {
    const client = await pool.connect();
    let broken: unknown;
    return {
      async query(sql: string, parameters?: readonly unknown[]): Promise<QueryResult> {
        // No further statement is sent, not even a rollback, which would only time out again.
        if (broken !== undefined) throw broken;
        try {
          return asOne(await client.query(sql, parameters === undefined ? undefined : [...parameters]));
        } catch (error) {
          // After an error of the server the connection is usable; after any other error its state is unknown.
          if (!(error instanceof pg.DatabaseError)) broken = error;
          throw error;
        }
      },
      release: () => client.release(broken !== undefined),
    };
  };
  const inUse = () => {
    const { totalCount, idleCount, waitingCount } = pool;
    return { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
  };
  const shared: Pool = { connect, connections: inUse, urgent: () => shared, end: async () => undefined };
  return {
    ...shared,
    notifications: {
      listen: (channel, listener) => notifier.on(channel, listener),
      send: (channel, text) => void notifier.send(channel, text, shared),
    },
    onConnection: (work) => notifier.onConnection(work),
    async end() {
      // The connection that listens may hold a lock for statements of the others.
      await pool.end();
      await notifier.close();
    },
  };
}

function clientSettings(url: string, statementMs: number): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: "accession",
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: statementMs,
    options: optionsOf({
      TimeZone: "UTC",
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
      // Locks of a machine that has disappeared are released after a minute.
      tcp_keepalives_idle: KEEP_ALIVE_MS / 1000,
      tcp_keepalives_interval: 15,
      tcp_keepalives_count: 3,
    }),
    types: {
      getTypeParser: (oid: number, format?: "text" | "binary") =>
        oid === INT8 ? Number : pg.types.getTypeParser(oid, format as "text"),
    } as pg.CustomTypesConfig,
  };
}

function optionsOf(settings: Record<string, string | number>): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(" ");
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
