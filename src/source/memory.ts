import { DigestsInPassing, type Offers, type Verdict } from "./digests.ts";
import type { Destination } from "./read.ts";

/** An object's bytes in memory: for small objects, which are then stored with one write. */
export class Memory implements Destination {
  readonly kept = 0;
  bytes: Buffer = Buffer.alloc(0);
  #offers: Offers | undefined;

  /** Takes room when the bytes are about to come, not while the read waits for its turn. */
  begin(offers: Offers): void {
    this.#offers = offers;
    this.bytes = Buffer.allocUnsafe(offers.bytes);
  }

  write(at: number, chunk: Uint8Array): void {
    this.bytes.set(chunk, at);
  }

  reached(): void {}

  async verdict(): Promise<Verdict> {
    if (this.#offers === undefined) throw new Error("Nothing was read");
    const digests = new DigestsInPassing(this.#offers);
    digests.update(this.bytes);
    return digests.finish(() => [this.bytes]);
  }
}
