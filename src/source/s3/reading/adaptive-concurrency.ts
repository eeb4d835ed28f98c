import { offAbort, onAbort } from "../../../platform/threads/abort-callbacks.ts";

/** Number of concurrent requests to a new endpoint. */
const START = 16;
const MEASURE_INTERVAL_MS = 200;
/** Smaller gains count as noise. */
const WORTHWHILE = 1.05;
const GROWTH = 1.5;
/** Until the rate has stopped growing for the first time, the limit is adapted more often and in larger steps. */
const START_INTERVAL_MS = 100;
const START_GROWTH = 2;
/** Measurements without growth before a higher number is tried again. Doubled after each unsuccessful try. */
const REST_LOOKS = 5;
const LONGEST_REST_LOOKS = 80;
const SLOW_REST_LOOKS = 25;
const SLOW_DOWN_INTERVAL_MS = 1_000;
/** The fixed cost of a request, expressed in bytes. */
const REQUEST_BYTES = 32 * 1024;

type Enter = () => void;

/**
 * Limits the number of concurrent requests to one endpoint. The limit starts low, grows while the rate grows, is
 * reduced when it does not, and is halved when the server asks to slow down or does not answer. Owners (submissions)
 * that wait are served alternately, so that none is starved.
 */
export class AdaptiveConcurrency {
  readonly #most: number;
  readonly #slowed: () => void;
  readonly #now: () => number;
  readonly #waiting = new Map<string, Enter[]>();
  #limit = START;
  #running = 0;
  /** Work since the last measurement, and whether the limit was reached. */
  #done = 0;
  #wasFull = false;
  #lookedAt: number;
  /** The best rate so far (bytes a millisecond) and its limit. */
  #best = { rate: 0, limit: START };
  #slowedAt = Number.NEGATIVE_INFINITY;
  #rest = 0;
  #nextRest = REST_LOOKS;
  #isInitialGrowth = true;
  /** The last measurement showed no growth. The next one decides. */
  #isDeclineUnconfirmed = false;

  /**
   * @param most maximum number of concurrent requests
   * @param slowed called when a call of {@link slowDown} has taken effect
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
   * Waits for permission to send a request. Each permission must be returned with {@link leave}.
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
        offAbort(signal, callback);
        resolve();
      };
      const abort = () => {
        const others = this.#waiting.get(owner)?.filter((one) => one !== enter) ?? [];
        if (others.length > 0) this.#waiting.set(owner, others);
        else this.#waiting.delete(owner);
        reject(signal.reason);
      };
      const callback = onAbort(signal, abort);
      const queue = this.#waiting.get(owner);
      if (queue === undefined) this.#waiting.set(owner, [enter]);
      else queue.push(enter);
    });
  }

  /** Returns a permission, with the number of bytes that the request received. */
  leave(bytes: number): void {
    this.#running--;
    this.#done += bytes + REQUEST_BYTES;
    this.#look();
    this.#admit();
  }

  /** The server asked to slow down, or did not answer in time. Calls for concurrent requests count once. */
  slowDown(): void {
    const now = this.#now();
    if (now - this.#slowedAt < SLOW_DOWN_INTERVAL_MS) return;
    this.#slowedAt = now;
    this.#isInitialGrowth = false;
    this.#isDeclineUnconfirmed = false;
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
      // To the end of the queue, so that other owners are served before this owner's next request.
      if (queue.length === 0) this.#waiting.delete(owner);
      else if (this.#waiting.size > 1) {
        this.#waiting.delete(owner);
        this.#waiting.set(owner, queue);
      }
      this.#running++;
      enter?.();
    }
  }

  #look(): void {
    const now = this.#now();
    const elapsed = now - this.#lookedAt;
    if (elapsed < (this.#isInitialGrowth ? START_INTERVAL_MS : MEASURE_INTERVAL_MS)) return;
    const rate = this.#done / elapsed;
    const full = this.#wasFull;
    this.#lookedAt = now;
    this.#done = 0;
    this.#wasFull = this.#waiting.size > 0;
    // Below the limit, the rate says nothing about it.
    if (full) this.#adapt(rate);
    else this.#isDeclineUnconfirmed = false;
  }

  #adapt(rate: number): void {
    if (this.#rest > 0) {
      this.#rest--;
      this.#best = { rate: Math.max(rate, this.#best.rate * 0.9), limit: this.#limit };
      return;
    }
    const tried = this.#limit > this.#best.limit;
    if (tried && rate < this.#best.rate * WORTHWHILE) {
      // One measurement is not enough: while connections are established, the rate is lower.
      if (!this.#isDeclineUnconfirmed) {
        this.#isDeclineUnconfirmed = true;
        return;
      }
      this.#isDeclineUnconfirmed = false;
      this.#isInitialGrowth = false;
      this.#limit = this.#best.limit;
      this.#rest = this.#nextRest;
      this.#nextRest = Math.min(this.#nextRest * 2, LONGEST_REST_LOOKS);
      return;
    }
    this.#isDeclineUnconfirmed = false;
    if (tried) this.#nextRest = REST_LOOKS;
    this.#best = { rate, limit: this.#limit };
    const growth = this.#isInitialGrowth ? START_GROWTH : GROWTH;
    this.#limit = Math.min(this.#most, Math.ceil(this.#limit * growth));
  }
}
