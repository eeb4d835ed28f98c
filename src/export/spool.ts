import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, unlink } from "node:fs/promises";
import { join } from "node:path";

const BUFFER_BYTES = 64 << 10;

/**
 * A temporary file for data that grows with the number of files. It has no name, so it disappears even if the process
 * is killed.
 */
export class Spool implements AsyncDisposable {
  readonly #file: FileHandle;
  readonly #buffer = Buffer.alloc(BUFFER_BYTES);
  #buffered = 0;
  #written = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async create(folder: string): Promise<Spool> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, `export-${randomUUID()}`);
    const file = await open(path, "wx+", 0o600);
    await unlink(path);
    return new Spool(file);
  }

  /** Number of bytes written. */
  get bytes(): number {
    return this.#written + this.#buffered;
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#buffered + bytes.length > BUFFER_BYTES) await this.#flush();
    if (bytes.length > BUFFER_BYTES) {
      await this.#put(bytes);
      return;
    }
    this.#buffer.set(bytes, this.#buffered);
    this.#buffered += bytes.length;
  }

  /** The bytes written so far, from the beginning. */
  async *read(): AsyncGenerator<Uint8Array> {
    await this.#flush();
    for (let at = 0; at < this.#written; ) {
      const { bytesRead, buffer } = await this.#file.read(Buffer.alloc(BUFFER_BYTES), 0, BUFFER_BYTES, at);
      if (bytesRead === 0) throw new Error("A spool is shorter than the data that was written to it");
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close();
  }

  async #flush(): Promise<void> {
    await this.#put(this.#buffer.subarray(0, this.#buffered));
    this.#buffered = 0;
  }

  async #put(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      const { bytesWritten } = await this.#file.write(bytes, at, bytes.length - at, this.#written);
      at += bytesWritten;
      this.#written += bytesWritten;
    }
  }
}
