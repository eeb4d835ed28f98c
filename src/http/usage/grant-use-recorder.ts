import type { FastifyBaseLogger } from "fastify";
import type { Queries } from "../../db/database.ts";
import {
  type GrantUseRow,
  keyOfUse,
  otherOf,
  type Readable,
  recordGrantUses,
  sumOf,
} from "../../db/publication/grant-uses.ts";
import { SAME_USE_MS } from "../../publication/rules/grants.ts";
import { PeriodicWrite } from "./periodic-write.ts";

/** How often uses are written. If the process is killed, the uses since the last time are lost. */
const WRITE_MS = 1_000;
/** Maximum number of different uses in memory. Above it, the files of a grant are counted together. */
const MOST = 20_000;

/**
 * Records the uses of grants without delaying a download: `record` only counts in memory, so that thousands of requests for the
 * parts of a file are one row. It keeps neither addresses nor user agents.
 */
export class GrantUseRecorder {
  readonly #db: Queries;
  readonly #write: PeriodicWrite;
  #counted = new Map<string, GrantUseRow>();
  /** When what was read was last requested, in milliseconds since 1970. */
  readonly #recent = new Map<string, number>();

  /** Starts. @param db waits behind urgent queries */
  constructor(db: Queries, log: Pick<FastifyBaseLogger, "warn">) {
    this.#db = db;
    this.#write = new PeriodicWrite(
      () => this.#writeAll(),
      WRITE_MS,
      (error) => log.warn({ err: error }, "cannot record the uses of grants of access; they are recorded later"),
    );
  }

  /** Counts a request that a grant has opened. Requests for the same that follow each other closely are one use. */
  record(read: Readable): void {
    const now = Date.now();
    const key = idOf(read);
    const before = this.#recent.get(key);
    const isSame = before !== undefined && now - before <= SAME_USE_MS;
    if (this.#recent.size >= MOST && before === undefined) this.#forget(now);
    this.#recent.set(key, now);
    const at = new Date(now);
    this.#add({ ...read, uses: isSame ? 0 : 1, first_at: at, last_at: at });
  }

  /** Resolves when everything that was recorded before the call is written, or a failure to do so is logged. */
  settled(): Promise<void> {
    return this.#write.settled();
  }

  /** Writes what was recorded, and stops. */
  close(): Promise<void> {
    return this.#write.close();
  }

  #add(use: GrantUseRow): void {
    const isMore = this.#counted.size >= MOST && !this.#counted.has(idOf(use));
    const row = isMore ? { ...use, ...otherOf(use) } : use;
    const earlier = this.#counted.get(idOf(row));
    this.#counted.set(idOf(row), earlier === undefined ? row : sumOf(earlier, row));
  }

  async #writeAll(): Promise<void> {
    this.#forget(Date.now());
    const grants = Map.groupBy(this.#counted.values(), ({ grant_id }) => grant_id);
    this.#counted = new Map();
    try {
      for (const [grant, uses] of grants) {
        await recordGrantUses(this.#db, grant, uses);
        grants.delete(grant);
      }
    } finally {
      for (const use of [...grants.values()].flat()) this.#add(use);
    }
  }

  /** Forgets what was requested too long ago to be the same use. If all is recent, forgets everything. */
  #forget(now: number): void {
    for (const [key, at] of this.#recent) if (now - at > SAME_USE_MS) this.#recent.delete(key);
    if (this.#recent.size >= MOST) this.#recent.clear();
  }
}

function idOf(read: Readable): string {
  return `${read.grant_id} ${keyOfUse(read).toString("base64")}`;
}
