import { statfs } from "node:fs/promises";
import { noSpace } from "../../domain/problems/no-space.ts";
import type { Problem } from "../../domain/problems.ts";
import type { SpaceReservation } from "../store.ts";

/** Disk space that is never filled: a share of the disk, and at least this number of bytes. */
export interface Reserve {
  share: number;
  bytes: number;
}

/** Of a disk that has other content than the archive's. */
interface OtherDisk {
  /** In messages, what has the space. */
  of: string;
  /** The reserve has at most this share of the disk, and at most this number of bytes. */
  mostReserve?: Reserve;
}

/** The free space of the disk of a folder, of which a reserve is never used. */
export class FreeSpace {
  readonly #folder: string;
  readonly #reserve: Reserve;
  readonly #of: string;
  readonly #mostReserve: Reserve | undefined;
  /** Bytes that are reserved and not yet written. */
  #held = 0;

  constructor(folder: string, reserve: Reserve, { of, mostReserve }: OtherDisk = { of: "the archive" }) {
    this.#folder = folder;
    this.#reserve = reserve;
    this.#of = of;
    this.#mostReserve = mostReserve;
  }

  async freeBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(this.#folder);
    return bavail * bsize - (await this.reserveBytes());
  }

  async reserveBytes(): Promise<number> {
    const { blocks, bsize } = await statfs(this.#folder);
    const disk = blocks * bsize;
    const reserve = Math.max(this.#reserve.bytes, this.#reserve.share * disk);
    const most = this.#mostReserve;
    return most === undefined ? reserve : Math.min(reserve, most.bytes, most.share * disk);
  }

  /**
   * Reserves space for bytes that are about to be written.
   * @param what the beginning of the message if there is not enough: “The next objects need”
   * @throws Problem `no_space`
   */
  async hold(bytes: number, what: string): Promise<SpaceReservation> {
    const free = (await this.freeBytes()) - this.#held;
    // No waiting between the comparison and the reservation.
    if (bytes > free) throw await this.#refusal(what, bytes, free);
    this.#held += bytes;
    let left = bytes;
    const use = (written: number) => {
      const used = Math.min(written, left);
      left -= used;
      this.#held -= used;
    };
    return { use, release: () => use(left) };
  }

  async #refusal(what: string, bytes: number, free: number): Promise<Problem> {
    const isLimited = this.#mostReserve !== undefined;
    return noSpace(what, bytes, { free, reserve: await this.reserveBytes(), of: this.#of, isLimited });
  }
}
