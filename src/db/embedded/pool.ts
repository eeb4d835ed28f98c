import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import type { Pool, PoolClient, QueryResult } from "../pool.ts";
import type { Answer, Call } from "./worker.ts";

/** Answers come and go; more room for them would only be more memory. */
const YOUNG_MIB = 8;

/** A database error with PostgreSQL's SQLSTATE, as node-postgres throws it. */
export class DatabaseError extends Error {
  readonly code: string | undefined;
  readonly constraint: string | undefined;

  constructor(fields: NonNullable<Answer["error"]>) {
    super(fields.detail === undefined ? fields.message : `${fields.message} (${fields.detail})`);
    this.name = "DatabaseError";
    this.code = fields.code;
    this.constraint = fields.constraint;
  }
}

/**
 * Opens the embedded database that lies in `folder`, in a thread of its own. It has one connection: `connect` hands
 * it out to one holder after the other, in the order of asking, those in a hurry first. Whoever holds it must not wait
 * for anything that needs the database too. Commits are durable when their promise resolves.
 */
export async function openEmbedded(folder: string): Promise<Pool> {
  if (!existsSync(join(folder, "PG_VERSION"))) await makeDatabase(folder);
  const thread = new EmbeddedThread(folder);
  await thread.ready;
  return new SingleConnectionPool(thread);
}

/** Made aside and renamed: one that was not finished is never taken for a database. */
async function makeDatabase(folder: string): Promise<void> {
  const fresh = `${folder}.new`;
  await rm(fresh, { recursive: true, force: true });
  await promisify(execFile)(process.execPath, [beside("make"), fresh], { env: {} });
  await rename(fresh, folder);
  await syncFolder(dirname(folder));
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  await handle.sync();
  await handle.close();
}

/** The path of a module of this folder, as it runs: from its source, or built. */
function beside(name: string): string {
  return fileURLToPath(new URL(`./${name}${extname(import.meta.url)}`, import.meta.url));
}

class EmbeddedThread {
  readonly ready: Promise<void>;
  readonly #worker: Worker;
  readonly #calls = new Map<number, { resolve: (result: QueryResult) => void; reject: (error: Error) => void }>();
  #next = 0;
  #dead: Error | undefined;
  #closed: () => void = () => undefined;

  constructor(folder: string) {
    const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_MIB };
    this.#worker = new Worker(beside("worker"), { workerData: { folder }, name: "embedded database", resourceLimits });
    this.ready = new Promise((resolve, reject) => {
      this.#worker.on("message", (message: Answer | "ready" | "closed") => {
        if (message === "ready") resolve();
        else if (message === "closed") this.#closed();
        else this.#settle(message);
      });
      this.#worker.on("error", (error) => {
        const cause = error instanceof Error ? error : new Error(String(error));
        reject(cause);
        this.#die(cause);
      });
      this.#worker.on("exit", () => {
        const cause = new Error("The embedded database has stopped");
        reject(cause);
        this.#die(cause);
      });
    });
  }

  query(sql: string, parameters?: readonly unknown[]): Promise<QueryResult> {
    return new Promise((resolve, reject) => {
      if (this.#dead) {
        reject(this.#dead);
        return;
      }
      const id = this.#next++;
      this.#calls.set(id, { resolve, reject });
      const call: Call = parameters === undefined || parameters.length === 0 ? { id, sql } : { id, sql, parameters };
      this.#worker.postMessage(call);
    });
  }

  async close(): Promise<void> {
    if (this.#dead) return;
    const closed = new Promise<void>((resolve) => {
      this.#closed = resolve;
    });
    this.#worker.postMessage("close");
    await closed;
    await this.#worker.terminate();
  }

  #settle(answer: Answer): void {
    const call = this.#calls.get(answer.id);
    this.#calls.delete(answer.id);
    if (answer.error) call?.reject(new DatabaseError(answer.error));
    else call?.resolve({ rows: answer.rows ?? [], rowCount: answer.rowCount ?? null, command: answer.command ?? "" });
  }

  #die(cause: Error): void {
    this.#dead ??= cause;
    this.#closed();
    for (const { reject } of this.#calls.values()) reject(cause);
    this.#calls.clear();
  }
}

/** So many that are in a hurry go before one that is not, so that nobody waits for ever. */
const URGENT_IN_A_ROW = 4;

class SingleConnectionPool implements Pool {
  readonly #thread: EmbeddedThread;
  readonly #urgent: (() => void)[] = [];
  readonly #usual: (() => void)[] = [];
  #urgentInARow = 0;
  #taken = false;
  #ended = false;

  constructor(thread: EmbeddedThread) {
    this.#thread = thread;
  }

  connect(): Promise<PoolClient> {
    return this.#connect(this.#usual);
  }

  urgent(): Pool {
    return { connect: () => this.#connect(this.#urgent), urgent: () => this.urgent(), end: async () => undefined };
  }

  async end(): Promise<void> {
    this.#ended = true;
    while (this.#taken) {
      await new Promise<void>((resolve) => this.#usual.push(resolve));
      if (this.#urgent.length + this.#usual.length === 0) break;
      this.#release();
    }
    await this.#thread.close();
  }

  async #connect(line: (() => void)[]): Promise<PoolClient> {
    if (this.#ended) throw new Error("The database is closed");
    if (this.#taken) await new Promise<void>((resolve) => line.push(resolve));
    this.#taken = true;
    return { query: (sql, parameters) => this.#thread.query(sql, parameters), release: () => this.#release() };
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
