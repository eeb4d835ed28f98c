import { randomUUID } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import type { BusboyFileStream } from "@fastify/busboy";
import { throwUnwritable } from "../../archive/folder/durable-writes.ts";
import type { SpaceReservation } from "../../archive/store.ts";
import { Problem } from "../../domain/problems.ts";
import type { FileHashers } from "../../source/reading/file-hashers.ts";
import { FileHashing } from "../file-hashing.ts";
import type { UploadFolder } from "../upload-folder.ts";

/** Bytes for which space is reserved at once. */
const HOLD_BYTES = 8 * 1024 * 1024;

interface IncomingParts {
  folder: UploadFolder;
  hashers: FileHashers;
  /** The area in which it is stored at first. */
  area: string;
  /** Why there is certainly no quota for a file of this size. */
  mayHave: (bytes: number) => Promise<Problem | undefined>;
}

/** A file that arrives before its path is known. It is removed at the end, unless it is kept. */
export class IncomingFile implements AsyncDisposable {
  /** Why it cannot be stored. What was stored of it is removed. */
  refusal: Problem | undefined;
  bytes = 0;
  isKept = false;
  readonly #parts: IncomingParts;
  #place: { area: string; name: string };
  readonly #hashing: FileHashing;
  #handle: FileHandle | undefined;
  #hold: SpaceReservation | undefined;
  #held = 0;
  #exists = false;

  constructor(parts: IncomingParts) {
    this.#parts = parts;
    this.#place = { area: parts.area, name: `incoming-${randomUUID()}` };
    const path = parts.folder.pathOf(this.#place.area, this.#place.name);
    this.#hashing = new FileHashing(parts.hashers, [{ path, from: 0 }], { bytes: undefined, isFresh: true });
  }

  /**
   * Stores the bytes as they arrive.
   * @param options.isReadOn whether the rest of a file that is refused is read, so that its client gets an answer: clients like browsers
   * repeat requests whose connection is closed
   * @throws the error of the body, or the refusal
   */
  async store(content: BusboyFileStream, { isReadOn }: { isReadOn: boolean }): Promise<void> {
    try {
      for await (const chunk of content.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        await this.#write(chunk);
      }
    } catch (error) {
      // The body has broken off, and this is the reason. A file that has arrived completely is also destroyed.
      if (content.errored !== null || !isReadOn || !(error instanceof Problem)) throw error;
      this.refusal = error;
      content.resume();
      await this.#remove();
    } finally {
      await this.#close();
    }
  }

  /** The SHA-512 in hex, before it is moved. @throws the signal's reason */
  digest(signal: AbortSignal): Promise<string> {
    return this.#hashing.digest(signal, this.bytes);
  }

  /** Moves it to its area, under the name of its segment. It is durable afterwards. @throws Problem `archive_unwritable`, `not_found` */
  async moveTo(area: string, name: string): Promise<void> {
    const { folder } = this.#parts;
    if (!this.#exists) return;
    await folder.move(this.#place, { area, name });
    this.#place = { area, name };
    await folder.sync(area, [name]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#hashing.stop();
    await this.#close();
    if (!this.isKept) await this.#remove();
  }

  async #write(chunk: Buffer): Promise<void> {
    const refusal = await this.#parts.mayHave(this.bytes + chunk.length);
    if (refusal !== undefined) throw refusal;
    await this.#reserve(chunk.length);
    if (this.#handle === undefined) {
      this.#handle = await this.#parts.folder.create(this.#place.area, this.#place.name);
      this.#exists = true;
    }
    await this.#handle.writeFile(chunk).catch(throwUnwritable);
    this.bytes += chunk.length;
    this.#hashing.add(chunk, this.bytes);
  }

  async #reserve(bytes: number): Promise<void> {
    if (this.#held < bytes) {
      this.#hold?.release();
      this.#held = 0;
      // A nearly full disk may have enough for a small file.
      await this.#holdStep(Math.max(bytes, HOLD_BYTES)).catch(() => this.#holdStep(bytes));
    }
    this.#hold?.use(bytes);
    this.#held -= bytes;
  }

  async #holdStep(bytes: number): Promise<void> {
    this.#hold = await this.#parts.folder.hold(bytes);
    this.#held = bytes;
  }

  async #close(): Promise<void> {
    this.#hold?.release();
    this.#hold = undefined;
    this.#held = 0;
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }

  async #remove(): Promise<void> {
    // The thread that hashes it would keep its space.
    this.#hashing.stop();
    if (!this.#exists) return;
    this.#exists = false;
    await this.#parts.folder.remove(this.#place.area, [this.#place.name]);
  }
}
