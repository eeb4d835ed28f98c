import { siblingModule, WorkerThread } from "../../threads/worker-thread.ts";
import type { QueryResult } from "../postgres/pool.ts";
import type { Answer, DatabaseMessages, Notification, Query } from "./database-thread.ts";

/** Queries and answers are short-lived; a larger young generation would only keep their buffers longer. */
const YOUNG_GENERATION_MIB = 3;

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

/** Recovery from a long log takes minutes; PostgreSQL that cannot open does not always report an error. */
const OPEN_MS = 180_000;
const STOPPED = "The embedded database has stopped";

/** The thread that the embedded database runs in, from its start to its end. */
export class EmbeddedThread {
  /** Rejects when the database cannot be opened. */
  readonly ready: Promise<void>;
  /** Resolves when the thread has ended, for any reason. */
  readonly gone: Promise<void>;
  readonly #thread: WorkerThread<DatabaseMessages>;
  #dead: Error | undefined;
  /** Why the database broke down or was ended, if that is known. */
  #breakdown: Error | undefined;

  /** @param onNotification called for every NOTIFY on the channels of notifications */
  constructor(folder: string, onNotification: (message: Notification) => void) {
    const gone = Promise.withResolvers<void>();
    this.gone = gone.promise;
    this.#thread = new WorkerThread<DatabaseMessages>(siblingModule(import.meta.url, "database-thread"), {
      name: "embedded database",
      data: { folder },
      youngGenerationMiB: YOUNG_GENERATION_MIB,
      onNotice: (notice) => {
        if ("broken" in notice) this.#breakDown(notice.broken);
        else onNotification(notice);
      },
      onEnd: (cause) => {
        this.#dead ??= new Error(STOPPED, { cause });
        gone.resolve();
      },
    });
    this.ready = this.#open();
  }

  get isDead(): boolean {
    return this.#dead !== undefined;
  }

  /** @throws DatabaseError; Error if the database has stopped */
  async query(sql: string, parameters: readonly unknown[] = []): Promise<QueryResult> {
    const { error, rows, rowCount, command } = await this.#call({ sql, parameters });
    if (error) throw new DatabaseError(error);
    return { rows: rows ?? [], rowCount: rowCount ?? null, command: command ?? "" };
  }

  async close(): Promise<void> {
    if (!this.#dead) await this.#thread.close();
  }

  /** Ends the thread immediately. Transactions that were not acknowledged are lost. */
  async terminate(): Promise<void> {
    await this.#thread.terminate();
  }

  async #call(request: Query | "open"): Promise<Answer> {
    if (this.#dead) throw this.#dead;
    return this.#thread.call(request).result.catch((cause: Error) => {
      throw this.#dead ?? cause;
    });
  }

  #breakDown(reason: string): void {
    this.#breakdown ??= new Error(`${STOPPED}: ${reason}`);
    this.#dead ??= this.#breakdown;
  }

  async #open(): Promise<void> {
    const late = setTimeout(() => {
      this.#breakDown(`it did not open within ${OPEN_MS / 1000} seconds`);
      void this.#thread.terminate();
    }, OPEN_MS);
    try {
      await this.#thread.call("open").result;
    } catch (cause) {
      // The cause names what the operator must correct, for instance too many open files.
      throw this.#breakdown ?? cause;
    } finally {
      clearTimeout(late);
    }
  }
}
