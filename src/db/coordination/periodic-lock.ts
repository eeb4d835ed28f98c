import { sql } from "kysely";
import type { Queries } from "../database.ts";

/** Decides which of several processes does a periodic task, so that one of them does it once per period. */
export interface PeriodicLock {
  /** Returns true for one process, and then false for all processes within this number of milliseconds. */
  acquire(name: string, milliseconds: number): Promise<boolean>;
}

/** Periodic lock for a single process. */
export class LocalPeriodicLock implements PeriodicLock {
  readonly #taken = new Map<string, number>();

  async acquire(name: string, milliseconds: number): Promise<boolean> {
    const now = performance.now();
    const last = this.#taken.get(name);
    if (last !== undefined && now - last < milliseconds) return false;
    this.#taken.set(name, now);
    return true;
  }
}

/** Periodic lock among all processes of a database, by the clock of the database. */
export class SharedPeriodicLock implements PeriodicLock {
  readonly #db: Queries;

  constructor(db: Queries) {
    this.#db = db;
  }

  async acquire(name: string, milliseconds: number): Promise<boolean> {
    const { rows } = await sql`
      insert into turn (name, taken_at) values (${name}, clock_timestamp())
      on conflict (name) do update set taken_at = excluded.taken_at
      where turn.taken_at <= excluded.taken_at - ${milliseconds} * interval '1 millisecond'
        or turn.taken_at > excluded.taken_at
      returning name`.execute(this.#db);
    return rows.length > 0;
  }
}
