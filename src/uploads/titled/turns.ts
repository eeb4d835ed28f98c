/** Requests of one owner that are received at once. */
const AT_ONCE = 16;

/** Lets requests of an owner wait for earlier ones, for clients that do not repeat refused requests. */
export class Turns {
  readonly #owners = new Map<string, { running: number; waiting: (() => void)[] }>();

  async run<Result>(owner: string, work: () => Promise<Result>): Promise<Result> {
    const lane = this.#owners.get(owner) ?? { running: 0, waiting: [] };
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
