import type { Closing } from "./closing.ts";

/** Counts what each caller or address has at a time. */
export class AtOnce {
  readonly #most: number;
  readonly #open = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Counts one more until its connection or answer closes.
   * @returns false if the caller has the maximum already; then nothing is counted
   */
  begin(who: string, until: Closing): boolean {
    const count = this.#open.get(who) ?? 0;
    if (count >= this.#most) return false;
    this.#open.set(who, count + 1);
    until(() => {
      const left = (this.#open.get(who) ?? 1) - 1;
      if (left === 0) this.#open.delete(who);
      else this.#open.set(who, left);
    });
    return true;
  }
}
