import type { Buffers } from "./buffers.ts";
import { DigestsInPassing, type Offers, type Verdict } from "./digests.ts";
import type { Destination } from "./read.ts";

/** An object's bytes in memory: for small objects, which are then stored with one write. */
export class Memory implements Destination {
  readonly kept = 0;
  readonly #buffers: Buffers;
  #bytes: Buffer | undefined;
  #offers: Offers | undefined;

  constructor(buffers: Buffers) {
    this.#buffers = buffers;
  }

  /** All bytes, once they have come. */
  get bytes(): Buffer {
    return this.#bytes ?? Buffer.alloc(0);
  }

  /** Takes room when the bytes are about to come, not while the read waits for its turn. */
  begin(offers: Offers): void {
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

  async verdict(): Promise<Verdict> {
    if (this.#offers === undefined) throw new Error("Nothing was read");
    const digests = new DigestsInPassing(this.#offers);
    const { bytes } = this;
    digests.update(bytes);
    return digests.finish(() => [bytes]);
  }
}
