import { offAbort, onAbort } from "../transport/abort-callbacks.ts";

/** How many requests run at a time when nothing is known of an endpoint yet. */
const START = 8;
const MEASURE_INTERVAL_MS = 200;
/** A gain below this is noise. */
const WORTHWHILE = 1.05;
const GROWTH = 1.5;
/** Looks without growth before a higher number is tried again; each try that was in vain doubles them. */
const REST_LOOKS = 5;
const LONGEST_REST_LOOKS = 80;
const SLOW_REST_LOOKS = 25;
const SLOW_DOWN_INTERVAL_MS = 1_000;
/** What a request costs besides its bytes, as bytes. */
const REQUEST_BYTES = 32 * 1024;

type Enter = () => void;

/**
 * How many requests to one endpoint run at a time. The number starts low, grows while more requests bring more, goes
 * back when they do not, and is halved when the server asks to slow down or does not answer. Several owners (submissions)
 * that wait for their turn are served one after the other, so that none starves another.
 */
export class AdaptiveConcurrency {
  readonly #most: number;
  readonly #slowed: () => void;
  readonly #now: () => number;
  readonly #waiting = new Map<string, Enter[]>();
  #limit = START;
  #running = 0;
  /** Work done, and whether all places were taken, since the last look. */
  #done = 0;
  #wasFull = false;
  #lookedAt: number;
  /** The best rate (bytes a millisecond) so far, and the number that brought it. */
  #best = { rate: 0, limit: START };
  #slowedAt = Number.NEGATIVE_INFINITY;
  #rest = 0;
  #nextRest = REST_LOOKS;

  /**
   * @param most never more than so many at a time
   * @param slowed told when a call of {@link slowDown} has counted
   */
  constructor(most: number, slowed: () => void = () => undefined, now: () => number = () => performance.now()) {
    this.#most = most;
    this.#slowed = slowed;
    this.#now = now;
    this.#limit = Math.min(START, most);
    this.#lookedAt = now();
  }

  get limit(): number {
    return this.#limit;
  }

  /**
   * Waits for a place. Every one that was had must be given back with {@link leave}.
   * @throws the signal's reason
   */
  enter(owner: string, signal: AbortSignal): Promise<void> | undefined {
    signal.throwIfAborted();
    if (this.#running < this.#limit && this.#waiting.size === 0) {
      this.#running++;
      return undefined;
    }
    this.#wasFull = true;
    return new Promise((resolve, reject) => {
      const enter = () => {
        offAbort(signal, abort);
        resolve();
      };
      const abort = () => {
        const others = this.#waiting.get(owner)?.filter((one) => one !== enter) ?? [];
        if (others.length > 0) this.#waiting.set(owner, others);
        else this.#waiting.delete(owner);
        reject(signal.reason);
      };
      onAbort(signal, abort);
      const queue = this.#waiting.get(owner);
      if (queue === undefined) this.#waiting.set(owner, [enter]);
      else queue.push(enter);
    });
  }

  /** Gives a place back, with the bytes that the request brought. */
  leave(bytes: number): void {
    this.#running--;
    this.#done += bytes + REQUEST_BYTES;
    this.#look();
    this.#admit();
  }

  /** The server asked to slow down, or did not answer in time. What was under way then may say so too: it counts once. */
  slowDown(): void {
    const now = this.#now();
    if (now - this.#slowedAt < SLOW_DOWN_INTERVAL_MS) return;
    this.#slowedAt = now;
    this.#limit = Math.max(1, Math.floor(this.#limit / 2));
    this.#best = { rate: 0, limit: this.#limit };
    this.#rest = SLOW_REST_LOOKS;
    this.#slowed();
  }

  #admit(): void {
    while (this.#running < this.#limit) {
      const next = this.#waiting.entries().next().value;
      if (next === undefined) return;
      const [owner, queue] = next;
      const enter = queue.shift();
      // To the end of the line: the others come before this owner's next one.
      this.#waiting.delete(owner);
      if (queue.length > 0) this.#waiting.set(owner, queue);
      this.#running++;
      enter?.();
    }
  }

  #look(): void {
    const now = this.#now();
    const elapsed = now - this.#lookedAt;
    if (elapsed < MEASURE_INTERVAL_MS) return;
    const rate = this.#done / elapsed;
    const full = this.#wasFull;
    this.#lookedAt = now;
    this.#done = 0;
    this.#wasFull = this.#waiting.size > 0;
    // With places to spare the rate says nothing about their number.
    if (full) this.#adapt(rate);
  }

  #adapt(rate: number): void {
    if (this.#rest > 0) {
      this.#rest--;
      this.#best = { rate: Math.max(rate, this.#best.rate * 0.9), limit: this.#limit };
      return;
    }
    const tried = this.#limit > this.#best.limit;
    if (tried && rate < this.#best.rate * WORTHWHILE) {
      this.#limit = this.#best.limit;
      this.#rest = this.#nextRest;
      this.#nextRest = Math.min(this.#nextRest * 2, LONGEST_REST_LOOKS);
      return;
    }
    if (tried) this.#nextRest = REST_LOOKS;
    this.#best = { rate, limit: this.#limit };
    this.#limit = Math.min(this.#most, Math.ceil(this.#limit * GROWTH));
  }
}
