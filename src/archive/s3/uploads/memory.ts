/** Maximum memory of a thread for large objects in transit. */
const MOST_BYTES = 256 * 1024 * 1024;
/** Number of buffers that are kept for later parts of the same size. */
const KEPT = 6;

/** Memory for the parts of large objects. It is reserved before an object is begun, so its total is limited. */
export class PartMemory {
  readonly #most: number;
  #free: number;
  readonly #waiting: { bytes: number; go: () => void }[] = [];
  readonly #buffers: Buffer[] = [];

  constructor(most = MOST_BYTES) {
    this.#most = most;
    this.#free = most;
  }

  /**
   * Reserves bytes, in the order of the calls. A request for more than the maximum reserves all memory.
   * @returns a function that releases them, once
   * @throws the signal's reason
   */
  async reserve(wanted: number, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const bytes = Math.min(wanted, this.#most);
    if (this.#waiting.length > 0 || bytes > this.#free) await this.#wait(bytes, signal);
    else this.#free -= bytes;
    let isGiven = false;
    return () => {
      if (isGiven) return;
      isGiven = true;
      this.#free += bytes;
      this.#serve();
    };
  }

  /** Returns a buffer of this size with undefined content. */
  take(bytes: number): Buffer {
    const index = this.#buffers.findIndex((buffer) => buffer.length === bytes);
    return this.#buffers.splice(index, index < 0 ? 0 : 1)[0] ?? Buffer.allocUnsafeSlow(bytes);
  }

  /** Returns a buffer to the pool. The caller must not use it afterwards. */
  give(buffer: Buffer): void {
    if (this.#buffers.length < KEPT) this.#buffers.push(buffer);
  }

  #wait(bytes: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter = { bytes, go: () => done(resolve) };
      const done = (finish: () => void) => {
        signal.removeEventListener("abort", abort);
        finish();
      };
      const abort = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        done(() => reject(signal.reason));
        this.#serve();
      };
      signal.addEventListener("abort", abort, { once: true });
      this.#waiting.push(waiter);
    });
  }

  #serve(): void {
    for (let next = this.#waiting[0]; next !== undefined && next.bytes <= this.#free; next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#free -= next.bytes;
      next.go();
    }
  }
}
