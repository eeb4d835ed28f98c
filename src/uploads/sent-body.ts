import { Problem } from "../domain/problems.ts";

/** Time that a client may take for {@link LEAST_BYTES}, in milliseconds. Time in which the service writes does not count. */
const WINDOW_MS = 30_000;
/** Fewer bytes in that time end a request. 1 KiB/s is slower than any connection over which people send files. */
const LEAST_BYTES = 30 * 1024;
const LOOK_MS = 1_000;

/**
 * The bytes of a request, as they arrive. Another request for the same file can interrupt it, and a client that sends hardly
 * anything is interrupted with `request_timeout`, so that it does not hold a connection for days.
 */
export class SentBody implements AsyncIterable<Uint8Array> {
  readonly #iterator: AsyncIterator<Uint8Array>;
  #interrupted: Problem | undefined;
  #reject: ((problem: Problem) => void) | undefined;
  /** Since the begin of the window: milliseconds for which the service waited, and bytes that came. */
  #waited = 0;
  #bytes = 0;
  #waitingSince: number | undefined;

  constructor(body: AsyncIterable<Uint8Array>) {
    this.#iterator = body[Symbol.asyncIterator]();
  }

  /** Ends the iteration with a problem. */
  interrupt(problem: Problem): void {
    this.#interrupted ??= problem;
    this.#reject?.(this.#interrupted);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    const timer = setInterval(() => this.#look(), LOOK_MS);
    timer.unref();
    try {
      for (;;) {
        const { done, value } = await this.#next();
        if (done === true) return;
        this.#bytes += value.length;
        yield value;
      }
    } finally {
      clearInterval(timer);
      // Without waiting: the rest of a body that is not read may never arrive.
      void this.#iterator.return?.()?.catch(() => undefined);
    }
  }

  /**
   * The chunks that have arrived while the ones before were used, up to about `most` bytes at a time. After an interruption or an error,
   * those that arrived before come first.
   */
  async *collected(most: number): AsyncGenerator<Uint8Array[]> {
    let chunks: Uint8Array[] = [];
    let bytes = 0;
    let end: { error?: unknown } | undefined;
    let arrived: () => void = () => undefined;
    let taken: () => void = () => undefined;
    const collect = async () => {
      try {
        for await (const chunk of this) {
          chunks.push(chunk);
          bytes += chunk.length;
          arrived();
          if (bytes >= most) await new Promise<void>((resolve) => (taken = resolve));
        }
        end = {};
      } catch (error) {
        end = { error };
      }
      arrived();
    };
    void collect();
    try {
      for (;;) {
        if (chunks.length > 0) {
          const some = chunks;
          chunks = [];
          bytes = 0;
          taken();
          yield some;
        } else if (end === undefined) await new Promise<void>((resolve) => (arrived = resolve));
        else if ("error" in end) throw end.error;
        else return;
      }
    } finally {
      // If the rest is not used, it is not waited for.
      this.interrupt(new Problem("request_timeout"));
      taken();
    }
  }

  /** A promise for each chunk: one for all of them would remember every chunk that waited for it. */
  async #next(): Promise<IteratorResult<Uint8Array>> {
    if (this.#interrupted !== undefined) throw this.#interrupted;
    const since = Date.now();
    this.#waitingSince = since;
    try {
      return await new Promise((resolve, reject) => {
        this.#reject = reject;
        this.#iterator.next().then(resolve, (cause: unknown) => reject(brokenOff(cause)));
      });
    } finally {
      this.#reject = undefined;
      this.#waitingSince = undefined;
      this.#waited += Date.now() - since;
    }
  }

  #look(): void {
    const current = this.#waitingSince === undefined ? 0 : Date.now() - this.#waitingSince;
    if (this.#waited + current < WINDOW_MS) return;
    if (this.#bytes < LEAST_BYTES) {
      this.interrupt(new Problem("request_timeout", "Fewer than 30 KiB of the file arrived in 30 seconds"));
    }
    this.#waited = -current;
    this.#bytes = 0;
  }
}

/** Nobody waits for the answer, but the error is not the service's. */
function brokenOff(cause: unknown): Problem {
  return new Problem("bad_request", "The connection was closed before the whole body had arrived", { cause });
}
