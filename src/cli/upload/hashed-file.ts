import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import { OPEN_FLAGS } from "../../../packages/ocfl/src/index.ts";
import { ChangedFile } from "./read-file.ts";

/** Bytes that are read at once. */
const PIECE_BYTES = 128 * 1024;

/**
 * A file that is hashed while it is sent, so that it is read once. It is a source of tus-js-client (`FileSource`): bytes that are read
 * again for another attempt are not hashed again, and those that an earlier attempt has sent are read only to hash them.
 */
export class HashedFile {
  readonly size: number;
  readonly #path: string;
  readonly #hash = createHash("sha512");
  readonly #signal: AbortSignal;
  readonly #onChecked: (bytes: number) => void;
  #hashed = 0;
  #stream: Readable | undefined;
  #sha512: string | undefined;

  /**
   * @param size of the file in bytes
   * @param options.signal ends all reading
   * @param options.onProgress called with the bytes that are hashed, while they are only hashed and not sent
   */
  constructor(
    path: string,
    size: number,
    { signal, onProgress }: { signal: AbortSignal; onProgress: (bytes: number) => void },
  ) {
    this.#path = path;
    this.size = size;
    this.#signal = signal;
    this.#onChecked = onProgress;
  }

  /** Proves that the file can be read. @throws the error of the file system */
  async requireReadable(): Promise<void> {
    await (await open(this.#path, OPEN_FLAGS)).close();
  }

  /** The SHA-512 in hex, if the whole file was read. */
  get sha512(): string | undefined {
    if (this.#hashed === this.size) this.#sha512 ??= this.#hash.digest("hex");
    return this.#sha512;
  }

  /** Reads what was not read yet. @returns the SHA-512 in hex @throws ChangedFile if the file is shorter; the error of the file system; the reason of the signal */
  async digest(): Promise<string> {
    await this.#hashTo(this.size);
    return this.sha512 ?? "";
  }

  /** The bytes from `start` until before `end`, as tus-js-client asks for them. Ends the stream of the attempt before, and throws as {@link digest}. */
  async slice(start: number, end: number): Promise<{ value: Readable & { size: number }; done: boolean }> {
    this.close();
    await this.#hashTo(start);
    this.#signal.throwIfAborted();
    const to = Math.min(end, this.size);
    const stream = Readable.from(this.#read(start, to), { objectMode: false, highWaterMark: PIECE_BYTES });
    this.#stream = stream;
    return { value: Object.assign(stream, { size: to - start }), done: to === this.size };
  }

  close(): void {
    this.#stream?.destroy();
  }

  async #hashTo(position: number): Promise<void> {
    for await (const _ of this.#read(this.#hashed, position)) this.#onChecked(this.#hashed);
  }

  async *#read(from: number, to: number): AsyncGenerator<Buffer> {
    if (from >= to) return;
    await using handle = await open(this.#path, OPEN_FLAGS);
    for (let at = from; at < to; ) {
      this.#signal.throwIfAborted();
      const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, to - at));
      const { bytesRead } = await handle.read(piece, 0, piece.length, at).catch((error: Error) => {
        // Without it, the error does not say that it is about a file.
        throw Object.assign(error, { path: this.#path });
      });
      if (bytesRead === 0) throw new ChangedFile(this.#path);
      const read = piece.subarray(0, bytesRead);
      this.#add(read, at);
      at += bytesRead;
      yield read;
    }
  }

  #add(piece: Buffer, at: number): void {
    if (at > this.#hashed || at + piece.length <= this.#hashed) return;
    this.#hash.update(piece.subarray(this.#hashed - at));
    this.#hashed = at + piece.length;
  }
}
