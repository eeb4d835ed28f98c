import type { Queries } from "../db/database.ts";
import { recordCurator } from "../db/publication/curators.ts";
import { type Caller, hasAccess } from "./caller.ts";

/** How long a record is not repeated. Another process may have recorded another role of the account meanwhile. */
const FRESH_MS = 60_000;
const MOST = 10_000;

/**
 * Records who is a curator according to the tokens of an identity provider, which cannot be asked for its curators. The role of
 * the last sign-in counts.
 */
export class KnownCurators {
  readonly #db: Queries;
  readonly #recorded = new Map<string, { isCurator: boolean; at: number }>();

  constructor(db: Queries) {
    this.#db = db;
  }

  /** Returns when it is recorded. @throws the error of the database, without which the other parts of a request fail too */
  async note(caller: Caller): Promise<void> {
    const isCurator = hasAccess(caller, "review");
    const last = this.#recorded.get(caller.owner);
    const now = Date.now();
    if (last?.isCurator === isCurator && now - last.at < FRESH_MS) return;
    await recordCurator(this.#db, caller.owner, isCurator);
    if (this.#recorded.size >= MOST) this.#recorded.clear();
    this.#recorded.set(caller.owner, { isCurator, at: now });
  }
}
