import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Notifications } from "../notifications/notifications.ts";
import { CHANNELS, type Channel, Listeners } from "../notifications/notifications.ts";
import type { Pool, QueryResult } from "./pool.ts";

const RECONNECT_MS = 1_000;

/** A connection on which nothing is heard for so long is asked whether it still stands. */
const ASK_MS = 15_000;

/** Notifications through a PostgreSQL server: LISTEN on a connection of its own, which is made anew whenever it breaks. */
class PostgresNotifier {
  readonly #listeners = new Listeners();
  readonly #make: () => pg.Client;
  readonly #closing = new AbortController();
  #listening: Promise<void> | undefined;

  constructor(make: () => pg.Client) {
    this.#make = make;
  }

  /** The first listener begins to listen. */
  on(channel: Channel, listener: (text: string) => void): () => void {
    this.#listening ??= this.#listen();
    return this.#listeners.on(channel, listener);
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
      // Others look by themselves after a while; that the database is away is told by whoever needs it.
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
      } catch {
        // The next round makes another connection; meanwhile everybody looks by itself.
        await sleep(RECONNECT_MS, undefined, { signal }).catch(() => undefined);
      } finally {
        await client.end().catch(() => undefined);
      }
    }
  }

  /** Resolves when it is closed, rejects when the connection breaks. */
  async #hear(client: pg.Client, signal: AbortSignal): Promise<void> {
    const broken = new Promise<never>((_, reject) => {
      client.on("error", reject).on("end", () => reject(new Error("The connection has ended")));
    });
    broken.catch(() => undefined);
    client.on("notification", ({ channel, payload }) => this.#listeners.hear(channel, payload ?? ""));
    await client.connect();
    for (const channel of Object.values(CHANNELS)) await client.query(`listen ${channel}`);
    while (!signal.aborted) {
      await Promise.race([broken, sleep(ASK_MS, undefined, { signal }).catch(() => undefined)]);
      if (!signal.aborted) await Promise.race([broken, client.query("select 1")]);
    }
  }
}

/** int8 columns count objects and bytes, which stay below 2^53; the embedded database gives numbers too. */
const INT8 = 20;
/** How long anybody waits for a connection, also for a free one of the pool. */
const CONNECT_MS = 5_000;
/** Longer than a statement takes; after it the way to the server counts as broken, whatever TCP still believes. */
const STATEMENT_MS = 30_000;
/** How long a connection is silent before it is asked whether it still stands, by either side. */
const KEEP_ALIVE_MS = 15_000;
/** A process that stands still in the middle of a transaction must not keep others from what it has locked. */
const IDLE_IN_TRANSACTION_MS = 10_000;

/**
 * Opens a pool on a PostgreSQL server (15 or newer). Connections are made when they are needed, so many at most.
 * @param statementMs how long a statement may take
 */
export function openPostgres(
  url: string,
  connections: number,
  statementMs: number = STATEMENT_MS,
): Pool & { notifications: Notifications } {
  const settings = clientSettings(url, statementMs);
  const pool = new pg.Pool({ ...settings, max: connections, connectionTimeoutMillis: CONNECT_MS });
  // A connection that breaks is replaced at the next use, and whoever waits on it for an answer is told. While it is
  // lent out the pool does not listen, and an error that nobody hears ends the process.
  pool.on("error", () => undefined).on("connect", (client) => client.on("error", () => undefined));
  const notifier = new PostgresNotifier(() => new pg.Client(settings));
  const connect = async () => {
    const client = await pool.connect();
    let broken: unknown;
    return {
      async query(sql: string, parameters?: readonly unknown[]): Promise<QueryResult> {
        // Nothing more is asked on it, not even to roll back: that would only wait once more.
        if (broken !== undefined) throw broken;
        try {
          return asOne(await client.query(sql, parameters === undefined ? undefined : [...parameters]));
        } catch (error) {
          // What the server says leaves the connection as it is; anything else leaves it in an unknown state.
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
    async end() {
      await notifier.close();
      await pool.end();
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
      // What a machine held that is gone without a word is free again after a minute.
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
