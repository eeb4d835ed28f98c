import type { RawRequest } from "../http/raw-request.ts";
import type { Operation } from "../operations/operations.ts";
import type { Chaos } from "./chaos.ts";
import { type Fault, type FaultMatch, type FaultRule, matches, merged } from "./faults.ts";

/** Requests that wait until they are released. */
export interface Hold {
  /** Resolves when the first request waits. */
  reached: Promise<void>;
  /** Lets these requests and all later ones continue. */
  release(): void;
}

/** The faults of a server, in the order in which they were added. */
export class FaultRegistry {
  readonly #rules: { rule: FaultRule; seen: number }[] = [];
  readonly #chaos = new Set<Chaos>();
  readonly #holds = new Set<Hold>();

  /** Adds a fault. Returns a function that removes it. */
  add(rule: FaultRule): () => void {
    const entry = { rule, seen: 0 };
    this.#rules.push(entry);
    return () => {
      const index = this.#rules.indexOf(entry);
      if (index >= 0) this.#rules.splice(index, 1);
    };
  }

  /** Lets matching requests wait, before they are processed, until they are released or all faults are removed. */
  hold(match: FaultMatch): Hold {
    const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const run = () => {
      reached.resolve();
      return released.promise;
    };
    const remove = this.add({ match, fault: { run } });
    const hold: Hold = {
      reached: reached.promise,
      release: () => {
        remove();
        this.#holds.delete(hold);
        released.resolve();
      },
    };
    this.#holds.add(hold);
    return hold;
  }

  /** Starts a plan of faults. Returns a function that ends it. */
  startChaos(chaos: Chaos): () => void {
    this.#chaos.add(chaos);
    return () => void this.#chaos.delete(chaos);
  }

  clear(): void {
    this.#rules.length = 0;
    this.#chaos.clear();
    for (const hold of this.#holds) hold.release();
  }

  /** All faults for this request, combined into one. Counts the match. */
  find(request: RawRequest, operation: Operation): Fault | undefined {
    let found: Fault | undefined;
    for (const chaos of this.#chaos) found = merged(found, chaos.find(request, operation));
    for (const entry of this.#rules) {
      const { match = {}, fault } = entry.rule;
      if (!matches(match, request, operation)) continue;
      entry.seen += 1;
      const first = match.nth ?? 1;
      const times = match.times ?? (match.nth === undefined ? Number.POSITIVE_INFINITY : 1);
      if (entry.seen >= first && entry.seen < first + times) found = { ...found, ...fault };
    }
    return found;
  }
}
