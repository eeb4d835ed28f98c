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
  readonly #db: Queries;
  readonly #run: (db: Queries, keys: readonly string[]) => Promise<ReadonlyMap<string, T>>;
  #waiting: { keys: Set<string>; result: Promise<ReadonlyMap<string, T>> } | undefined;

  /** @param run reads the values of different keys; a key without a value is left out */
  constructor(db: Queries, run: (db: Queries, keys: readonly string[]) => Promise<ReadonlyMap<string, T>>) {
    this.#db = db;
    this.#run = run;
  }

  /** The value of a key; undefined without one. */
  async read(key: string): Promise<T | undefined> {
    this.#waiting ??= this.#begin();
    const { keys, result } = this.#waiting;
    keys.add(key);
    return (await result).get(key);
  }

  #begin(): { keys: Set<string>; result: Promise<ReadonlyMap<string, T>> } {
    const keys = new Set<string>();
    const begun = () => {
      if (this.#waiting?.keys === keys) this.#waiting = undefined;
    };
    const result = this.#db
      .connection()
      .execute((connection) => {
        begun();
        return this.#run(connection, [...keys]);
      })
      .finally(begun);
    return { keys, result };
  }
}
