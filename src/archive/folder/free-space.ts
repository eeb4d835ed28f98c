import { statfs } from "node:fs/promises";
import { noSpace } from "../../domain/problems/no-space.ts";
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
  /** Bytes that are reserved and not yet written. */
  #held = 0;

  constructor(folder: string, reserve: Reserve) {
    this.#folder = folder;
    this.#reserve = reserve;
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
    if (bytes > free) throw noSpace("The next objects need", bytes, { free, reserve: await this.reserveBytes() });
    this.#held += bytes;
    let left = bytes;
    const use = (written: number) => {
      const used = Math.min(written, left);
      left -= used;
      this.#held -= used;
    };
    return { use, release: () => use(left) };
  }
}
