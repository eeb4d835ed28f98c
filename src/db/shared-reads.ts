import type { Queries } from "./database.ts";

/**
 * Reads that many ask for at the same time, done once for all who asked before the read began. Whoever asks later gets
 * a read of their own, so that everybody sees what was written before they asked.
 */
export class SharedReads<T> {
  readonly #db: Queries;
  readonly #waiting = new Map<string, Promise<T>>();

  constructor(db: Queries) {
    this.#db = db;
  }

  /** @param key the same for reads that are the same */
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
