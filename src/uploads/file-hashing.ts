import { createHash, type Hash } from "node:crypto";
import { type FileHash, type FileHashers, type FilePart, UNKNOWN } from "../source/reading/file-hashers.ts";

/** Files up to this size are hashed at once: a thread would take longer. */
const SMALL_BYTES = 256 * 1024;
/** Bytes after which the thread that hashes is told. */
const STEP_BYTES = 2 * 1024 * 1024;

/** Computes the SHA-512 of a file whose last segment arrives. Large files are hashed by another thread. */
export class FileHashing {
  readonly #hashers: FileHashers;
  readonly #parts: readonly FilePart[];
  readonly #bytes: number | undefined;
  #small: Hash | undefined;
  #following: FileHash | undefined;
  #told = 0;

  /**
   * @param parts the segments, in order. The last one need not exist before a byte was added.
   * @param bytes size of the file; undefined if it is not known yet
   * @param isFresh whether all bytes will be added; otherwise some or all of them are read from the segments
   */
  constructor(
    hashers: FileHashers,
    parts: readonly FilePart[],
    { bytes, isFresh }: { bytes: number | undefined; isFresh: boolean },
  ) {
    this.#hashers = hashers;
    this.#parts = parts;
    this.#bytes = bytes;
    this.#small = isFresh && (bytes ?? 0) <= SMALL_BYTES ? createHash("sha512") : undefined;
  }

  /** Bytes were written. @param reached the position behind them */
  add(chunk: Uint8Array, reached: number): void {
    // A file of unknown size became large: the thread reads it from the beginning.
    if (reached > SMALL_BYTES) this.#small = undefined;
    if (this.#small !== undefined) this.#small.update(chunk);
    else if (reached - this.#told >= STEP_BYTES) {
      this.#told = reached;
      this.#follow().reached(reached);
    }
  }

  /**
   * The SHA-512 in hex of the whole file, all bytes of which are written.
   * @param bytes the size, if it was not known
   * @throws the signal's reason
   */
  async digest(signal: AbortSignal, bytes = this.#bytes): Promise<string> {
    if (this.#small !== undefined) return this.#small.digest("hex");
    return (await this.#follow().verdict(signal, bytes)).sha512;
  }

  stop(): void {
    this.#following?.stop();
  }

  #follow(): FileHash {
    this.#following ??= this.#hashers.follow(this.#parts, { headers: {}, etag: null, bytes: this.#bytes ?? UNKNOWN });
    return this.#following;
  }
}
