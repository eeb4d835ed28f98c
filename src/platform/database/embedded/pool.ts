import { execFile } from "node:child_process";
import { chmod, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { siblingModule } from "../../threads/worker-thread.ts";
import { Listeners, type Notifications } from "../notifications.ts";
import type { Connections, Pool, PoolClient } from "../postgres/pool.ts";
import { EmbeddedThread } from "./embedded-thread.ts";
import { explainNotCreated, explainUnusable, requireEmpty } from "./unusable-database.ts";

/**
 * Opens the embedded database in `folder`, in a separate thread. It has one connection: `connect` gives it to one holder at a
 * time, in the order of the calls, urgent calls first. The holder must not wait for other code that needs the database.
 * Commits are durable when their promise resolves.
 *
 * @throws UnusableDatabase, or the file system's error, that states what the operator must do
 */
export async function openEmbedded(folder: string): Promise<Pool & { notifications: Notifications }> {
  if (!(await exists(join(folder, "PG_VERSION")))) await createDatabase(folder);
  // PGlite creates files that every user can write, and the parent folders may be accessible to other users.
  await chmod(folder, 0o700);
  const listeners = new Listeners();
  const thread = new EmbeddedThread(folder, ({ channel, text }) => listeners.hear(channel, text));
  await thread.ready.catch((cause: unknown) => {
    throw explainUnusable(folder, cause);
  });
  return new SingleConnectionPool(folder, thread, listeners);
}

/** Creates the database under a temporary name and renames it, so that an incomplete one is never opened. */
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

/** Number of urgent calls served before one that is not urgent, so that every call is served. */
const URGENT_IN_A_ROW = 10;
/** How long a call waits for a failed database to reopen, and the pause after a failed try: the disk may be full. */
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
    // The holder keeps the failed connection, so that no statement of its transaction runs after the others were lost.
    const thread = this.#thread;
    return { query: (sql, parameters) => thread.query(sql, parameters), release: () => this.#release() };
  }

  /** Waits up to two seconds for a failed database to reopen. @throws Error if it takes longer, or fails */
  async #opened(): Promise<void> {
    this.#reopening ??= this.#reopen().finally(() => {
      this.#reopening = undefined;
    });
    const timeout = new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error(STOPPED)), REOPEN_MS).unref();
    });
    await Promise.race([this.#reopening, timeout]);
  }

  /** Replaces the failed thread. The database recovers from its log as after a crash. */
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

  /** Gives the connection to the next call; it is free only if no call waits. */
  #release(): void {
    const isUrgent = this.#urgent.length > 0 && (this.#urgentInARow < URGENT_IN_A_ROW || this.#usual.length === 0);
    this.#urgentInARow = isUrgent ? this.#urgentInARow + 1 : 0;
    const next = (isUrgent ? this.#urgent : this.#usual).shift();
    if (next === undefined) this.#taken = false;
    else next();
  }
}
