import { createHash } from "node:crypto";
import { type FileHandle, open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { syncFolder } from "./durable-files.ts";

/** Digest and size of a written file. `sha512` is lower-case hex. */
export interface WrittenFile {
  sha512: string;
  bytes: number;
}

/** Bytes gathered before they are hashed and written in one call. */
const BATCH = 1 << 20;
/** UTF-8 takes at most three bytes for a UTF-16 code unit. */
const WORST = 3;

/**
 * A text file of any length, written in order and in flat memory, hashed on the way. Like `writeDurably`, it is
 * absent or whole under its name, also after power loss: {@link finishPublication} syncs, renames and syncs the folder.
 */
export class HashedFile {
  readonly #target: string;
  readonly #handle: FileHandle;
  readonly #hash = createHash("sha512");
  // Text is encoded at once, into a buffer: strings put together from a million pieces cost several times as much.
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

  /** Takes text. Await the promise when one comes: it is back pressure and carries a failed write. */
  write(text: string): Promise<void> | undefined {
    const room = text.length * WORST;
    if (room > this.#filling.length - this.#filled) return this.#writeSlowly(text);
    this.#filled += this.#filling.write(text, this.#filled);
    return undefined;
  }

  /** Takes bytes that are text in UTF-8 already. */
  async append(chunk: Buffer): Promise<void> {
    await this.#drain();
    await this.#writing;
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
    await this.#send(chunk);
  }

  /** Makes the file durable under its name. */
  async finish(): Promise<WrittenFile> {
    await this.#drain();
    await this.#writing;
    await this.#handle.sync();
    await this.#handle.close();
    await rename(`${this.#target}.tmp`, this.#target);
    await syncFolder(dirname(this.#target));
    return { sha512: this.#hash.digest("hex"), bytes: this.#bytes };
  }

  /** Closes the file whatever happened; after {@link finishPublication} it does nothing. The owner of the folder cleans up. */
  async close(): Promise<void> {
    await this.#writing.catch(() => undefined);
    await this.#handle.close();
  }

  async #writeSlowly(text: string): Promise<void> {
    await this.#drain();
    if (text.length * WORST > BATCH) return this.append(Buffer.from(text, "utf8"));
    this.#filled += this.#filling.write(text, this.#filled);
  }

  /** Waits only for the batch before, so that writing one and making the next overlap. */
  async #drain(): Promise<void> {
    await this.#writing;
    const chunk = this.#filling.subarray(0, this.#filled);
    [this.#filling, this.#spare] = [this.#spare, this.#filling];
    this.#filled = 0;
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
    this.#writing = this.#send(chunk);
    // The next drain or finish meets a failure; until then it must only not count as unhandled.
    this.#writing.catch(() => undefined);
  }

  async #send(chunk: Buffer): Promise<void> {
    for (let done = 0; done < chunk.length; ) {
      done += (await this.#handle.write(chunk, done)).bytesWritten;
    }
  }
}
