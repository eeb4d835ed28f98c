import { Bag, type BagMember } from "../../../platform/threads/bag.ts";

/** The minimum throughput of a response: this number of bytes within this number of milliseconds. */
export interface MinimumRate {
  bytes: number;
  milliseconds: number;
}

/** One kibibyte per second, averaged over a minute: the slowest connection with which a dataset can be ingested. */
const MINIMUM_RATE: MinimumRate = { bytes: 60 * 1024, milliseconds: 60_000 };

/** A check that is late by more than this factor is skipped. */
const LATE = 1.2;

/** A response in progress. Its receiver adds the number of received bytes to `bytes`. */
export interface WatchedReply extends BagMember {
  bytes: number;
  /** Bytes that had arrived at the last check; written by the detector. */
  bytesBefore: number;
  /** Called once if it is too slow. It is then no longer watched. */
  readonly tooSlow: () => void;
}

/**
 * Aborts responses that arrive too slowly. A server that sends a byte now and then is never silent, so a timeout for
 * silence would not end it, and it would hold a connection and its object indefinitely. One timer checks all responses,
 * because a timer for each of a million small objects would be too expensive.
 */
export class StallDetector {
  readonly #least: MinimumRate;
  readonly #watched = new Bag<WatchedReply>();
  #timer: NodeJS.Timeout | undefined;
  #lookedAt = 0;

  constructor(least = MINIMUM_RATE) {
    this.#least = least;
  }

  /** Begins to watch a response, or begins again if it is watched already. */
  watch(reply: WatchedReply): void {
    reply.bytesBefore = reply.bytes - this.#least.bytes;
    if (reply.place < 0) this.#watched.add(reply);
    if (this.#timer !== undefined) return;
    this.#lookedAt = performance.now();
    this.#timer = setInterval(() => this.#look(), this.#least.milliseconds).unref();
  }

  leave(reply: WatchedReply): void {
    this.#watched.remove(reply);
  }

  close(): void {
    clearInterval(this.#timer);
    for (const reply of this.#watched.list()) this.#watched.remove(reply);
  }

  /**
   * Checks all responses. Skips those that began after the last check, because they had less time. Skips all if this
   * thread was suspended, because bytes that arrived meanwhile have not been received yet.
   */
  #look(): void {
    const now = performance.now();
    const isLate = now - this.#lookedAt > this.#least.milliseconds * LATE;
    this.#lookedAt = now;
    for (const reply of this.#watched.list()) {
      if (isLate || reply.bytes - reply.bytesBefore >= this.#least.bytes) reply.bytesBefore = reply.bytes;
      else {
        this.#watched.remove(reply);
        reply.tooSlow();
      }
    }
  }
}
