/**
 * A reading of both clocks of the machine: the steady clock continues while a process is stopped, the wall clock also
 * while the whole machine is suspended. Plain data, so that it can be sent to a thread.
 */
export interface ClockReading {
  /** Milliseconds; the same clock for all threads. */
  steady: number;
  /** Milliseconds of the epoch. */
  wall: number;
}

/** Time for which a confirmation is valid. */
const LEASE_MS = 5_000;

export function readClocks(): ClockReading {
  return { steady: Number(process.hrtime.bigint() / 1_000_000n), wall: Date.now() };
}

/**
 * The right to write to something, which must be confirmed periodically: to the content of the current attempt, or to
 * an archive that a run has locked. A process that was suspended finds the lease expired, and waits for the next
 * confirmation.
 */
export class Lease {
  readonly #lastsMs: number;
  #confirmed: ClockReading;
  #waiting: (() => void)[] = [];
  #ended: { reason: unknown } | undefined;

  /** @param confirmed when the last successful check began */
  constructor(confirmed: ClockReading, lastsMs = LEASE_MS) {
    this.#confirmed = confirmed;
    this.#lastsMs = lastsMs;
  }

  /** Confirms the lease. @param at when the check began, not when its answer arrived, which may be hours later */
  confirm(at: ClockReading): void {
    this.#confirmed = at;
    for (const go of this.#waiting.splice(0)) go();
  }

  /** Ends the lease for good. Current and later callers receive the reason. */
  end(reason: unknown): void {
    this.#ended ??= { reason };
    for (const go of this.#waiting.splice(0)) go();
  }

  /** @throws the reason for which the lease ended */
  throwIfEnded(): void {
    if (this.#ended !== undefined) throw this.#ended.reason;
  }

  /**
   * Resolves while the lease is valid, at once or after the next confirmation. @throws the reason for which it ended;
   * the signal's reason
   */
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
