import { setImmediate as nextTurn } from "node:timers/promises";
import type { FastifyBaseLogger } from "fastify";
import type { Queries } from "../../db/database.ts";
import { forgetUsers, recordClicks, saltOf } from "../../db/usage/record.ts";
import type { Agents } from "../../public/usage/agents.ts";
import { type Click, clickOf, DOUBLE_CLICK_MS, type Use } from "../../public/usage/clicks.ts";
import { PeriodicWrite } from "./periodic-write.ts";

/** How often uses are written. If the process is killed, the uses since the last time are lost. */
const WRITE_MS = 3_000;
const FORGET_MS = 60_000;
/** Maximum number of uses and clicks in memory. Further ones are lost while the database does not answer. */
const MOST = 50_000;
/** Uses that are hashed in one go, which takes about 5 ms. */
const SLICE = 500;
/** Clicks of one transaction. The embedded database does nothing else during a statement. */
const WRITTEN = 250;

/**
 * Counts uses of datasets without delaying a request: `record` only keeps the use in memory. Every few seconds all uses
 * become clicks, which contain neither address nor user agent, and are added to the counts in few transactions. If one
 * fails, they are added with the next ones.
 */
export class UsageRecorder {
  readonly #db: Queries;
  readonly #agents: Agents;
  readonly #log: Pick<FastifyBaseLogger, "warn">;
  /** Clicks that are not written yet. In each map, the keys of different clicks differ. */
  #batches: Map<string, Click>[] = [];
  readonly #write: PeriodicWrite;
  #uses: Use[] = [];
  #lost = 0;
  #forgotAt = 0;

  /** Starts. @param db waits behind urgent queries */
  constructor(db: Queries, agents: Agents, log: Pick<FastifyBaseLogger, "warn">) {
    this.#db = db;
    this.#agents = agents;
    this.#log = log;
    this.#write = new PeriodicWrite(
      () => this.#writeAll(),
      WRITE_MS,
      (error) => log.warn({ err: error }, "cannot write the usage statistics; they are written later"),
    );
    // A salt of an earlier day must not stay until there is a use.
    void this.#write.run();
  }

  record(use: Use): void {
    if (this.#uses.length + this.#waiting() < MOST) this.#uses.push(use);
    else this.#lost += 1;
  }

  /** Resolves when everything that was recorded before the call is counted, or a failure to do so is logged. */
  settled(): Promise<void> {
    return this.#write.settled();
  }

  /** Writes what was recorded, and stops. */
  close(): Promise<void> {
    return this.#write.close();
  }

  async #writeAll(): Promise<void> {
    const now = Date.now();
    if (Math.abs(now - this.#forgotAt) >= FORGET_MS) {
      await forgetUsers(this.#db, now);
      this.#forgotAt = now;
    }
    if (this.#uses.length > 0) {
      const salt = await saltOf(this.#db, now);
      const uses = this.#uses;
      this.#uses = [];
      await this.#collect(uses, salt);
    }
    for (let batch = this.#batches[0]; batch !== undefined; batch = this.#batches[0]) {
      for (const clicks of slices(batch)) {
        await recordClicks(this.#db, [...clicks.values()]);
        for (const key of clicks.keys()) batch.delete(key);
      }
      this.#batches.shift();
    }
    if (this.#lost > 0)
      this.#log.warn({ uses: this.#lost }, "the database was too slow: uses of datasets are not counted");
    this.#lost = 0;
  }

  async #collect(uses: readonly Use[], salt: Buffer): Promise<void> {
    for (const [index, use] of uses.entries()) {
      if (index % SLICE === SLICE - 1) await nextTurn();
      const click = clickOf(use, salt, this.#agents);
      if (click !== undefined) this.#add(click);
    }
  }

  #add(click: Click): void {
    const key = click.key.toString("base64");
    for (const batch of this.#batches) {
      const earlier = batch.get(key);
      if (earlier === undefined) {
        batch.set(key, click);
        return;
      }
      if (click.first - earlier.last <= DOUBLE_CLICK_MS) {
        earlier.first = Math.min(earlier.first, click.first);
        earlier.last = Math.max(earlier.last, click.last);
        return;
      }
    }
    this.#batches.push(new Map([[key, click]]));
  }

  #waiting(): number {
    return this.#batches.reduce((sum, { size }) => sum + size, 0);
  }
}

function slices(batch: ReadonlyMap<string, Click>): Map<string, Click>[] {
  const all = [...batch];
  return Array.from(
    { length: Math.ceil(all.length / WRITTEN) },
    (_, index) => new Map(all.slice(index * WRITTEN, (index + 1) * WRITTEN)),
  );
}
