import { statfs } from "node:fs/promises";
import { noSpace } from "../../domain/problems/no-space.ts";
import type { Problem } from "../../domain/problems.ts";
import type { SpaceReservation } from "../store.ts";

/** Disk space that is never filled: a share of the disk, and at least this number of bytes. */
export interface Reserve {
  share: number;
  bytes: number;
}

/** The free space of the disk of a folder, of which a reserve is never used. */
export class FreeSpace {
  readonly #folder: string;
  readonly #reserve: Reserve;
  readonly #of: string;
  /** Bytes that are reserved and not yet written. */
  #held = 0;

  /** @param of in messages, what is on the disk */
  constructor(folder: string, reserve: Reserve, of = "the archive") {
    this.#folder = folder;
    this.#reserve = reserve;
    this.#of = of;
  }

  async freeBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(this.#folder);
    return bavail * bsize - (await this.reserveBytes());
  }

  async reserveBytes(): Promise<number> {
    const { blocks, bsize } = await statfs(this.#folder);
    return Math.max(this.#reserve.bytes, this.#reserve.share * blocks * bsize);
  }

  /**
   * Reserves space for bytes that are about to be written.
   * @throws Problem `no_space`
   */
  async hold(bytes: number): Promise<SpaceReservation> {
    const free = (await this.freeBytes()) - this.#held;
    // No waiting between the comparison and the reservation.
    if (bytes > free) throw await this.#refusal(bytes, free);
    this.#held += bytes;
    let left = bytes;
    const use = (written: number) => {
      const used = Math.min(written, left);
      left -= used;
      this.#held -= used;
    };
    return { use, release: () => use(left) };
  }

  async #refusal(bytes: number, free: number): Promise<Problem> {
    return noSpace("The next objects need", bytes, { free, reserve: await this.reserveBytes(), of: this.#of });
  }
}
