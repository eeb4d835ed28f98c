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
