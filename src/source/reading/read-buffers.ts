import { type DigestResult, type StatedDigests, StreamingDigests } from "./digests.ts";
import type { Destination } from "./read-object.ts";

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

/** An object's bytes in memory: for small objects, which are then stored with one write. */
export class Memory implements Destination {
  readonly kept = 0;
  readonly #buffers: Buffers;
  #bytes: Buffer | undefined;
  #offers: StatedDigests | undefined;

  constructor(buffers: Buffers) {
    this.#buffers = buffers;
  }

  /** All bytes, once they have come. */
  get bytes(): Buffer {
    return this.#bytes ?? Buffer.alloc(0);
  }

  /** Takes room when the bytes are about to come, not while the read waits for its turn. */
  begin(offers: StatedDigests): void {
    this.#offers = offers;
    this.#bytes ??= this.#buffers.take(offers.bytes);
  }

  /** Gives the room back; the bytes are then gone. */
  release(): void {
    if (this.#bytes !== undefined) this.#buffers.give(this.#bytes);
    this.#bytes = undefined;
  }

  write(at: number, chunk: Uint8Array): void {
    this.bytes.set(chunk, at);
  }

  reached(): void {}

  async verdict(): Promise<DigestResult> {
    if (this.#offers === undefined) throw new Error("Nothing was read");
    const digests = new StreamingDigests(this.#offers);
    const { bytes } = this;
    digests.update(bytes);
    return digests.finish(() => [bytes]);
  }
}

/** The next power of two. */
function roomFor(bytes: number): number {
  return Math.max(SMALLEST, 2 ** Math.ceil(Math.log2(Math.max(bytes, 1))));
}
