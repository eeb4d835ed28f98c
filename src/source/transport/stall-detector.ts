/** What a reply has to bring, so that it does not take for ever: so many bytes within so many milliseconds. */
export interface MinimumRate {
  bytes: number;
  milliseconds: number;
}

/** A kibibyte a second, averaged over a minute: the slowest line that still brings a dataset in. */
const MINIMUM_RATE: MinimumRate = { bytes: 60 * 1024, milliseconds: 60_000 };

/** A look that comes so many times later than it should says nothing. */
const LATE = 1.2;

/** A reply under way. Whoever receives it adds what comes to `bytes`. */
export interface WatchedReply {
  bytes: number;
  /** Called once when it comes too slowly; it then is watched no longer. */
  readonly tooSlow: () => void;
}

/**
 * Watches replies that drip. A server that sends a byte now and then is never silent, so that no timeout for silence
 * ends it, and would hold a connection and its object for ever. One timer looks at all replies, because a timer for
 * each of a million small objects would cost more than it is worth.
 */
export class StallDetector {
  readonly #least: MinimumRate;
  /** With the bytes that had come when it was looked at last. */
  readonly #watched = new Map<WatchedReply, number>();
  #timer: NodeJS.Timeout | undefined;
  #lookedAt = 0;

  constructor(least = MINIMUM_RATE) {
    this.#least = least;
  }

  watch(reply: WatchedReply): void {
    this.#watched.set(reply, reply.bytes - this.#least.bytes);
    if (this.#timer !== undefined) return;
    this.#lookedAt = performance.now();
    this.#timer = setInterval(() => this.#look(), this.#least.milliseconds).unref();
  }

  leave(reply: WatchedReply): void {
    this.#watched.delete(reply);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#watched.clear();
  }

  /**
   * One that was begun since the last look is passed over: it has had less time than the others. So are all after this
   * thread itself stood still: what had come meanwhile was not received yet.
   */
  #look(): void {
    const now = performance.now();
    const isLate = now - this.#lookedAt > this.#least.milliseconds * LATE;
    this.#lookedAt = now;
    for (const [reply, before] of this.#watched) {
      if (isLate || reply.bytes - before >= this.#least.bytes) this.#watched.set(reply, reply.bytes);
      else {
        this.#watched.delete(reply);
        reply.tooSlow();
      }
    }
  }
}
