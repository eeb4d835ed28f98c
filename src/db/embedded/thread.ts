import { Worker } from "node:worker_threads";
import type { QueryResult } from "../postgres/pool.ts";
import { modulePath } from "./module-path.ts";
import type { Answer, Breakdown, Call, Notification } from "./worker.ts";

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

/** Recovery from a long log takes a while; PostgreSQL that gives up while it opens never says so. */
const OPEN_MS = 180_000;

/** The thread that the embedded database runs in, once from its start to its end. */
export class EmbeddedThread {
  /** Rejects when it cannot be opened. */
  readonly ready: Promise<void>;
  /** Resolves when nothing of it runs any more, whatever the reason. */
  readonly gone: Promise<void>;
  readonly #worker: Worker;
  readonly #calls = new Map<number, { resolve: (result: QueryResult) => void; reject: (error: Error) => void }>();
  #next = 0;
  #dead: Error | undefined;
  #closed: () => void = () => undefined;

  /** @param told hears every NOTIFY on the channels of notifications */
  constructor(folder: string, told: (message: Notification) => void) {
    const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_MIB };
    this.#worker = new Worker(modulePath("worker"), {
      workerData: { folder },
      name: "embedded database",
      resourceLimits,
    });
    this.gone = new Promise((resolve) => this.#worker.once("exit", () => resolve()));
    this.ready = new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        this.#die(new Error("The embedded database has stopped: it does not open"));
        void this.#worker.terminate();
      }, OPEN_MS);
      this.#worker.on("message", (message: Answer | Breakdown | Notification | "ready" | "closed") => {
        if (message === "ready") {
          clearTimeout(late);
          resolve();
        } else if (message === "closed") this.#closed();
        else if ("broken" in message) this.#die(new Error(`The embedded database has stopped: ${message.broken}`));
        else if ("channel" in message) told(message);
        else this.#settle(message);
      });
      this.#worker.on("error", (error) => {
        const cause = error instanceof Error ? error : new Error(String(error));
        reject(cause);
        this.#die(new Error("The embedded database has stopped", { cause }));
      });
      this.#worker.on("exit", () => {
        clearTimeout(late);
        this.#die(new Error("The embedded database has stopped"));
        reject(this.#dead);
      });
    });
  }

  get isDead(): boolean {
    return this.#dead !== undefined;
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

  /** Ends it wherever it is; what it had not acknowledged is not there. */
  async terminate(): Promise<void> {
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
