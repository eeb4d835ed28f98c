/**
 * A moment on both clocks of the machine: the steady one goes on while a process is stopped, the other also while the
 * whole machine is. Plain data, so that it can go to a thread.
 */
export interface ClockReading {
  /** Milliseconds; the same clock for all threads. */
  steady: number;
  /** Milliseconds of the epoch. */
  wall: number;
}

/** So long after somebody looked, what was seen is still taken for true. */
const LEASE_MS = 5_000;

export function readClocks(): ClockReading {
  return { steady: Number(process.hrtime.bigint() / 1_000_000n), wall: Date.now() };
}

/**
 * The right to write somewhere, confirmed again and again by whoever looks whether it still stands: content of an attempt
 * that is at work, an archive that nobody else copies into. Whoever was frozen finds it run out, and waits until somebody
 * has looked again.
 */
export class Lease {
  readonly #lastsMs: number;
  #confirmed: ClockReading;
  #waiting: (() => void)[] = [];
  #ended: { reason: unknown } | undefined;

  /** @param confirmed when somebody last began to look, and it stood */
  constructor(confirmed: ClockReading, lastsMs = LEASE_MS) {
    this.#confirmed = confirmed;
    this.#lastsMs = lastsMs;
  }

  /** @param at when the look began, and not when its answer came: that may have lain for hours. */
  confirm(at: ClockReading): void {
    this.#confirmed = at;
    for (const go of this.#waiting.splice(0)) go();
  }

  /** It will not hold again: whoever waits for it, or asks from now on, is told why. */
  end(reason: unknown): void {
    this.#ended ??= { reason };
    for (const go of this.#waiting.splice(0)) go();
  }

  /** @throws why it ended */
  throwIfEnded(): void {
    if (this.#ended !== undefined) throw this.#ended.reason;
  }

  /** Resolves while the lease holds, at once or after the next confirmation. @throws why it ended; the signal's reason */
  async held(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    while (!this.#holds()) {
      await new Promise<void>((resolve, reject) => {
        const abort = () => reject(signal?.reason);
        signal?.addEventListener("abort", abort, { once: true });
        this.#waiting.push(() => {
          signal?.removeEventListener("abort", abort);
          resolve();
        });
      });
      signal?.throwIfAborted();
    }
  }

  #holds(): boolean {
    this.throwIfEnded();
    const now = readClocks();
    const age = Math.max(now.steady - this.#confirmed.steady, now.wall - this.#confirmed.wall);
    return age < this.#lastsMs;
  }
}
