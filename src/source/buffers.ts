const SMALLEST = 4 * 1024;
/** Bytes that are kept for the next one who needs them. */
const KEPT_BYTES = 32 * 1024 * 1024;

/** Buffers that are used again and again: making and collecting one for every object costs more than filling it. */
export class Buffers {
  readonly #free = new Map<number, Buffer[]>();
  #kept = 0;

  /** A buffer of so many bytes, with anything in them. */
  take(bytes: number): Buffer {
    const size = roomFor(bytes);
    const free = this.#free.get(size)?.pop();
    if (free !== undefined) this.#kept -= size;
    return (free ?? Buffer.allocUnsafeSlow(size)).subarray(0, bytes);
  }

  /** Gives a buffer back that was taken; nobody may use it any more. */
  give(buffer: Buffer): void {
    const size = buffer.buffer.byteLength;
    if (this.#kept + size > KEPT_BYTES) return;
    this.#kept += size;
    const free = this.#free.get(size) ?? [];
    free.push(Buffer.from(buffer.buffer, 0, size));
    this.#free.set(size, free);
  }
}

/** The next power of two. */
function roomFor(bytes: number): number {
  return Math.max(SMALLEST, 2 ** Math.ceil(Math.log2(Math.max(bytes, 1))));
}
