import { Problem } from "../../domain/problems.ts";

/** Requests of one owner that are received at once. */
const AT_ONCE = 16;
/** Further requests of one owner that wait. */
const MOST_WAITING = 64;
const RETRY_SECONDS = 5;

/** Lets requests of an owner wait for earlier ones, for clients that do not repeat refused requests. */
export class Turns {
  readonly #owners = new Map<string, { running: number; waiting: (() => void)[] }>();

  /** @throws Problem `rate_limited` if too many wait; the errors of the work */
  async run<Result>(owner: string, work: () => Promise<Result>): Promise<Result> {
    const lane = this.#owners.get(owner) ?? { running: 0, waiting: [] };
    if (lane.waiting.length >= MOST_WAITING) {
      const detail = `More than ${AT_ONCE + MOST_WAITING} files of one sender at once`;
      throw new Problem("rate_limited", detail, { retryAfter: RETRY_SECONDS });
    }
    this.#owners.set(owner, lane);
    if (lane.running < AT_ONCE) lane.running += 1;
    else await new Promise<void>((resolve) => lane.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = lane.waiting.shift();
      if (next !== undefined) next();
      else lane.running -= 1;
      if (lane.running === 0) this.#owners.delete(owner);
    }
  }
}
