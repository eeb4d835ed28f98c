import { randomUUID } from "node:crypto";
import type { Queries } from "../../db/database.ts";
import { beginArrival, failArrival, renewArrivals } from "../../db/uploads/arrivals.ts";
import { Problem } from "../../domain/problems.ts";

const RENEWAL_MS = 5_000;

/** A request that sends a file. */
export interface Arrival {
  readonly id: string;
  /** Name or path of the file, once it is known. */
  name: string | undefined;
  /** Whether the connection broke off. */
  isBroken: boolean;
}

/** Keeps the rows of the requests that this process receives (see `db/uploads/arrivals.ts`). */
export class Arrivals {
  readonly #db: Queries;
  readonly #failed: (error: unknown) => void;
  readonly #running = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  /** @param failed reports an error of the database after which files may count as missing */
  constructor(db: Queries, failed: (error: unknown) => void) {
    this.#db = db;
    this.#failed = failed;
  }

  /**
   * Does the work of a request, which ends the arrival in the transaction that records the file. If the work fails, the file is remembered
   * as missing.
   */
  async run<Result>(owner: string, work: (arrival: Arrival) => Promise<Result>): Promise<Result> {
    const arrival: Arrival = { id: randomUUID(), name: undefined, isBroken: false };
    const { id } = arrival;
    await beginArrival(this.#db, { id, owner });
    this.#running.add(id);
    this.#timer ??= setInterval(() => this.#renew(), RENEWAL_MS).unref();
    try {
      return await work(arrival);
    } catch (error) {
      this.#running.delete(id);
      // If the database does not answer, the arrival is no longer renewed, which has the same effect.
      await failArrival(this.#db, id, { name: arrival.name ?? null, code: codeOf(error, arrival) }).catch(this.#failed);
      throw error;
    } finally {
      this.#running.delete(id);
      if (this.#running.size === 0) {
        clearInterval(this.#timer);
        this.#timer = undefined;
      }
    }
  }

  #renew(): void {
    // An arrival that is not renewed for a while counts as missing, which is on the safe side.
    renewArrivals(this.#db, [...this.#running]).catch(this.#failed);
  }
}

function codeOf(error: unknown, { isBroken }: Arrival): string {
  if (isBroken) return "interrupted";
  return error instanceof Problem ? error.code : "internal_error";
}
