import { createHash } from "node:crypto";
import { type FileHandle, open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { syncFolder } from "./durable-files.ts";

/** Digest and size of a written file. `sha512` is lower-case hexadecimal. */
export interface WrittenFile {
  sha512: string;
  bytes: number;
}

/** Number of bytes that are collected before they are hashed and written in one call. */
const BATCH = 1 << 20;
/** UTF-8 needs at most three bytes for a UTF-16 code unit. */
const WORST = 3;

/**
 * A text file of any length that is written in order, with constant memory, and hashed. Like with `writeDurably`, it is
 * absent or complete under its name, also after a power loss: {@link finish} syncs, renames and syncs the folder.
 */
export class HashedFile {
  readonly #target: string;
  readonly #handle: FileHandle;
  readonly #hash = createHash("sha512");
  // Text is encoded at once into a buffer. Strings that are built from a million pieces cost several times as much.
  #filling = Buffer.allocUnsafe(BATCH);
  #filled = 0;
  #spare = Buffer.allocUnsafe(BATCH);
  #bytes = 0;
  #writing: Promise<void> = Promise.resolve();

  private constructor(target: string, handle: FileHandle) {
    this.#target = target;
    this.#handle = handle;
  }

  static async create(target: string): Promise<HashedFile> {
    return new HashedFile(target, await open(`${target}.tmp`, "w"));
  }

  /** Writes text. If it returns a promise, await it: it is back pressure and reports a failed write. */
  write(text: string): Promise<void> | undefined {
    const worst = text.length * WORST;
    if (worst > this.#filling.length - this.#filled) return this.#writeSlowly(text);
    this.#filled += this.#filling.write(text, this.#filled);
    return undefined;
  }

  /** Writes bytes that are UTF-8 text already. */
  async append(chunk: Buffer): Promise<void> {
    await this.#drain();
    await this.#writing;
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
    await this.#send(chunk);
  }

  /** Completes the file and makes it durable under its name. */
  async finish(): Promise<WrittenFile> {
    await this.#drain();
    await this.#writing;
    await this.#handle.sync();
    await this.#handle.close();
    await rename(`${this.#target}.tmp`, this.#target);
    await syncFolder(dirname(this.#target));
    return { sha512: this.#hash.digest("hex"), bytes: this.#bytes };
  }

  /**
   * Closes the file, also after an error. Does nothing after {@link finish}. The owner of the folder removes temporary
   * files.
   */
  async close(): Promise<void> {
    await this.#writing.catch(() => undefined);
    await this.#handle.close();
  }

  async #writeSlowly(text: string): Promise<void> {
    await this.#drain();
    if (text.length * WORST > BATCH) return this.append(Buffer.from(text, "utf8"));
    this.#filled += this.#filling.write(text, this.#filled);
  }

  /** Waits only for the previous batch, so that a batch is written while the next one is filled. */
  async #drain(): Promise<void> {
    await this.#writing;
    const chunk = this.#filling.subarray(0, this.#filled);
    [this.#filling, this.#spare] = [this.#spare, this.#filling];
    this.#filled = 0;
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
    this.#writing = this.#send(chunk);
    // The next drain or finish reports a failure. Until then it must not count as unhandled.
    this.#writing.catch(() => undefined);
  }

  async #send(chunk: Buffer): Promise<void> {
    for (let done = 0; done < chunk.length; ) {
      done += (await this.#handle.write(chunk, done)).bytesWritten;
    }
  }
}
