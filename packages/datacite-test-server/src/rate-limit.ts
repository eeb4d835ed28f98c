/** Limits the requests in a window of time, as DataCite does for each address. */
export class RateLimit {
  readonly #requests: number;
  readonly #windowMs: number;
  #begun = 0;
  #count = 0;

  /** @param options.requests maximum number of requests in a window of `windowMs` milliseconds */
  constructor({ requests, windowMs }: { requests: number; windowMs: number }) {
    this.#requests = requests;
    this.#windowMs = windowMs;
  }

  /** Counts a request. @returns the seconds until the next window if the limit is exceeded; otherwise undefined */
  exceeded(now = performance.now()): number | undefined {
    if (now - this.#begun >= this.#windowMs) {
      this.#begun = now;
      this.#count = 0;
    }
    this.#count += 1;
    return this.#count > this.#requests ? Math.ceil((this.#begun + this.#windowMs - now) / 1000) : undefined;
  }
}
