import type { Destination } from "../source.ts";
import { type DigestResult, type StatedDigests, StreamingDigests } from "./digests.ts";

const SMALLEST = 4 * 1024;

/** Number of bytes that are kept for reuse. */
const KEPT_BYTES = 32 * 1024 * 1024;

/** A pool of buffers. Allocating and collecting a buffer for each object costs more than filling it. */
export class Buffers {
  readonly #free = new Map<number, Buffer[]>();
  #kept = 0;

  /** Returns a buffer of this length with undefined content. */
  take(bytes: number): Buffer {
    const size = sizeFor(bytes);
    const free = this.#free.get(size)?.pop();
    if (free !== undefined) this.#kept -= size;
    return (free ?? Buffer.allocUnsafeSlow(size)).subarray(0, bytes);
  }

  /** Returns a buffer to the pool. The caller must not use it afterwards. */
  give(buffer: Buffer): void {
    const size = buffer.buffer.byteLength;
    if (this.#kept + size > KEPT_BYTES) return;
    this.#kept += size;
    const free = this.#free.get(size) ?? [];
    free.push(Buffer.from(buffer.buffer, 0, size));
    this.#free.set(size, free);
  }
}

/** An object's bytes in memory. Used for small objects, which are stored with one write. */
export class Memory implements Destination {
  readonly kept = 0;
  readonly #buffers: Buffers;
  #bytes: Buffer | undefined;
  #offers: StatedDigests | undefined;

  constructor(buffers: Buffers) {
    this.#buffers = buffers;
  }

  /** All bytes, after they have arrived. */
  get bytes(): Buffer {
    return this.#bytes ?? Buffer.alloc(0);
  }

  /** Allocates the buffer when the bytes are about to arrive, not while the read is waiting. */
  begin(offers: StatedDigests): void {
    this.#offers = offers;
    this.#bytes ??= this.#buffers.take(offers.bytes);
  }

  /** Releases the buffer with its bytes. */
  release(): void {
    if (this.#bytes !== undefined) this.#buffers.give(this.#bytes);
    this.#bytes = undefined;
  }

  write(at: number, chunk: Uint8Array): void {
    this.bytes.set(chunk, at);
  }

  reached(): void {}

  async verdict(): Promise<DigestResult> {
    if (this.#offers === undefined) throw new Error("No object was read");
    const digests = new StreamingDigests(this.#offers);
    const { bytes } = this;
    digests.update(bytes);
    return digests.finish(() => [bytes]);
  }
}

/** The next power of two. */
function sizeFor(bytes: number): number {
  return Math.max(SMALLEST, 2 ** Math.ceil(Math.log2(Math.max(bytes, 1))));
}
