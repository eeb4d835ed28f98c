import type { Queries } from "./database.ts";

/**
 * Shares a read between all callers that requested it before it began. Later callers get a new read, so that every caller
 * sees the data written before its call.
 */
export class SharedReads<T> {
  readonly #db: Queries;
  readonly #waiting = new Map<string, Promise<T>>();

  constructor(db: Queries) {
    this.#db = db;
  }

  /** @param key equal for equal reads */
  read(key: string, run: (db: Queries) => Promise<T>): Promise<T> {
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) return waiting;
    const left = () => {
      if (this.#waiting.get(key) === reading) this.#waiting.delete(key);
    };
    const reading: Promise<T> = this.#db
      .connection()
      .execute((connection) => {
        left();
        return run(connection);
      })
      .finally(left);
    this.#waiting.set(key, reading);
    return reading;
  }
}

/**
 * Reads the values of all keys that were requested before the read began with one query. Every caller sees the data written before
 * its call, as with {@link SharedReads}.
 */
export class BatchedReads<T> {
  readonly #reads: SharedReads<ReadonlyMap<string, T>>;
  readonly #run: (db: Queries, keys: readonly string[]) => Promise<ReadonlyMap<string, T>>;
  #keys = new Set<string>();

  /** @param run reads the values of different keys; a key without a value is left out */
  constructor(db: Queries, run: (db: Queries, keys: readonly string[]) => Promise<ReadonlyMap<string, T>>) {
    this.#reads = new SharedReads(db);
    this.#run = run;
  }

  /** The value of a key; undefined without one. */
  async read(key: string): Promise<T | undefined> {
    this.#keys.add(key);
    const values = await this.#reads.read("", (db) => {
      const keys = [...this.#keys];
      this.#keys = new Set();
      return this.#run(db, keys);
    });
    return values.get(key);
  }
}
