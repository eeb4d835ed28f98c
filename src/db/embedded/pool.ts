import { execFile } from "node:child_process";
import { chmod, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { siblingModule } from "../../threads/worker-thread.ts";
import { Listeners, type Notifications } from "../notifications/notifications.ts";
import type { Connections, Pool, PoolClient } from "../postgres/pool.ts";
import { EmbeddedThread } from "./embedded-thread.ts";
import { explainNotCreated, explainUnusable, requireEmpty } from "./unusable-database.ts";

/**
 * Opens the embedded database that lies in `folder`, in a thread of its own. It has one connection: `connect` hands
 * it out to one holder after the other, in the order of asking, those in a hurry first. Whoever holds it must not wait
 * for anything that needs the database too. Commits are durable when their promise resolves.
 *
 * @throws UnusableDatabase, or the file system's error, that says what the operator has to do
 */
export async function openEmbedded(folder: string): Promise<Pool & { notifications: Notifications }> {
  if (!(await exists(join(folder, "PG_VERSION")))) await createDatabase(folder);
  // PGlite makes its files for everybody to write, and who made the folders above is not known.
  await chmod(folder, 0o700);
  const listeners = new Listeners();
  const thread = new EmbeddedThread(folder, ({ channel, text }) => listeners.hear(channel, text));
  await thread.ready.catch((cause: unknown) => {
    throw explainUnusable(folder, cause);
  });
  return new SingleConnectionPool(folder, thread, listeners);
}

/** Made aside and renamed: one that was not finished is never taken for a database. */
async function createDatabase(folder: string): Promise<void> {
  requireEmpty(folder);
  const fresh = `${folder}.new`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { mode: 0o700 });
  await promisify(execFile)(process.execPath, [siblingModule(import.meta.url, "create-database"), fresh], {
    env: {},
  }).catch((cause: unknown) => {
    throw explainNotCreated(folder, cause);
  });
  await rename(fresh, folder);
  await syncFolder(dirname(folder));
}

async function exists(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  await handle.sync();
  await handle.close();
}

/** So many that are in a hurry go before one that is not, so that nobody waits for ever. */
const URGENT_IN_A_ROW = 4;
/** How long anybody waits for a database that broke down, and the pause after a try in vain: its disk may be full. */
const REOPEN_MS = 2_000;
const STOPPED = "The embedded database has stopped";

class SingleConnectionPool implements Pool {
  readonly #folder: string;
  readonly #listeners: Listeners;
  #thread: EmbeddedThread;
  #opening: EmbeddedThread | undefined;
  #reopening: Promise<void> | undefined;
  #failedAt = Number.NEGATIVE_INFINITY;
  readonly #urgent: (() => void)[] = [];
  readonly #usual: (() => void)[] = [];
  #urgentInARow = 0;
  #taken = false;
  #ended = false;

  constructor(folder: string, thread: EmbeddedThread, listeners: Listeners) {
    this.#folder = folder;
    this.#thread = thread;
    this.#listeners = listeners;
  }

  /** All senders and listeners are in this process. */
  get notifications(): Notifications {
    const listeners = this.#listeners;
    return {
      listen: (channel, listener) => listeners.on(channel, listener),
      send: (channel, text) => listeners.tell(channel, text),
    };
  }

  connect(): Promise<PoolClient> {
    return this.#connect(this.#usual);
  }

  connections(): Connections {
    const busy = this.#taken ? 1 : 0;
    return { busy, idle: 1 - busy, waiting: this.#urgent.length + this.#usual.length };
  }

  urgent(): Pool {
    return {
      connect: () => this.#connect(this.#urgent),
      connections: () => this.connections(),
      urgent: () => this.urgent(),
      end: async () => undefined,
    };
  }

  async end(): Promise<void> {
    this.#ended = true;
    while (this.#taken) {
      await new Promise<void>((resolve) => this.#usual.push(resolve));
      if (this.#urgent.length + this.#usual.length === 0) break;
      this.#release();
    }
    await this.#opening?.terminate();
    await this.#thread.close();
  }

  async #connect(line: (() => void)[]): Promise<PoolClient> {
    if (this.#ended) throw new Error("The database is closed");
    if (this.#thread.isDead) await this.#opened();
    if (this.#taken) await new Promise<void>((resolve) => line.push(resolve));
    this.#taken = true;
    // Whoever holds the connection when it breaks down keeps the dead one: no statement of a transaction goes on where
    // the rest was lost.
    const thread = this.#thread;
    return { query: (sql, parameters) => thread.query(sql, parameters), release: () => this.#release() };
  }

  /** Waits a moment for a database that broke down to be opened anew. @throws Error when that takes longer, or fails */
  async #opened(): Promise<void> {
    this.#reopening ??= this.#reopen().finally(() => {
      this.#reopening = undefined;
    });
    const timeout = new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error(STOPPED)), REOPEN_MS).unref();
    });
    await Promise.race([this.#reopening, timeout]);
  }

  /** Starts a thread in place of the dead one; it recovers from its log as after a crash. */
  async #reopen(): Promise<void> {
    await this.#thread.gone;
    if (performance.now() - this.#failedAt < REOPEN_MS) throw new Error(STOPPED);
    const thread = new EmbeddedThread(this.#folder, ({ channel, text }) => this.#listeners.hear(channel, text));
    this.#opening = thread;
    try {
      await thread.ready;
      this.#thread = thread;
    } catch (cause) {
      this.#failedAt = performance.now();
      throw new Error(STOPPED, { cause });
    } finally {
      this.#opening = undefined;
    }
  }

  /** Hands the connection on; it stays taken until nobody waits. */
  #release(): void {
    const isUrgent = this.#urgent.length > 0 && (this.#urgentInARow < URGENT_IN_A_ROW || this.#usual.length === 0);
    this.#urgentInARow = isUrgent ? this.#urgentInARow + 1 : 0;
    const next = (isUrgent ? this.#urgent : this.#usual).shift();
    if (next === undefined) this.#taken = false;
    else next();
  }
}
