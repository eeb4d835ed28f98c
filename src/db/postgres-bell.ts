import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { CHANNELS, type Channel, Listeners } from "./bell.ts";
import type { Pool } from "./pool.ts";

const RECONNECT_MS = 1_000;
/** A connection on which nothing is heard for so long is asked whether it still stands. */
const ASK_MS = 15_000;

/** The bell on a PostgreSQL server: LISTEN on a connection of its own, which is made anew whenever it breaks. */
export class PostgresBell {
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

  async ring(channel: Channel, text: string, pool: Pool): Promise<void> {
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

  /** Resolves when the bell is closed, rejects when the connection breaks. */
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
