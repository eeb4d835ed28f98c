/** A thread that hashes files while another thread writes them; see file-hashers.ts. */
import { closeSync, openSync, readSync } from "node:fs";
import { setImmediate as yieldToOthers } from "node:timers/promises";
import { serveCalls } from "../../platform/threads/serve-calls.ts";
import { type DigestResult, type StatedDigests, StreamingDigests } from "./digests.ts";
import type { FilePart, HashMessages } from "./file-hashers.ts";

const PIECE = 1024 * 1024;
/** Bytes that are hashed before other files of this thread continue, and a file can be cancelled. */
const SLICE = 32 * PIECE;
const piece = Buffer.allocUnsafe(PIECE);

/** A file that is hashed up to the position that has been written. Its first bytes can be in other files. */
class GrowingFile {
  readonly #parts: readonly FilePart[];
  readonly #digests: StreamingDigests;
  readonly #bytes: number;
  #opened: { part: FilePart; descriptor: number } | undefined;
  #hashed = 0;
  #written = 0;

  constructor(parts: readonly FilePart[], offers: StatedDigests) {
    this.#parts = parts;
    this.#digests = new StreamingDigests(offers);
    this.#bytes = offers.bytes;
    // The last file is the one that is being written. An error is reported at once.
    const last = parts.at(-1);
    if (last !== undefined) this.#open(last);
  }

  /** Reports that all bytes before this position are written. */
  reached(position: number): void {
    this.#written = position;
  }

  /** Hashes a slice of the written bytes. Returns false when all of them are hashed. */
  hashSlice(): boolean {
    const to = Math.min(this.#written, this.#hashed + SLICE);
    for (const chunk of this.#read(this.#hashed, to)) this.#digests.update(chunk);
    this.#hashed = to;
    return this.#hashed < this.#written;
  }

  verdict(): Promise<DigestResult> {
    return this.#digests.finish(() => this.#read(0, this.#bytes));
  }

  close(): void {
    if (this.#opened !== undefined) closeSync(this.#opened.descriptor);
    this.#opened = undefined;
  }

  *#read(from: number, to: number): Generator<Buffer> {
    for (const [index, part] of this.#parts.entries()) {
      const end = this.#parts[index + 1]?.from ?? this.#bytes;
      for (let at = Math.max(from, part.from); at < Math.min(to, end); ) {
        const wanted = Math.min(PIECE, to - at, end - at);
        const length = readSync(this.#open(part), piece, 0, wanted, at - part.from);
        if (length === 0) throw new Error("The file is shorter than the bytes that were written");
        at += length;
        yield piece.subarray(0, length);
      }
    }
  }

  #open(part: FilePart): number {
    if (this.#opened?.part === part) return this.#opened.descriptor;
    this.close();
    this.#opened = { part, descriptor: openSync(part.path, "r") };
    return this.#opened.descriptor;
  }
}

serveCalls<HashMessages>({
  call: async ({ parts, offers }, call) => {
    const file = new GrowingFile(parts, offers);
    let isComplete = false;
    let wake: () => void = () => undefined;
    call.onMessage((message) => {
      isComplete ||= message.isAll;
      file.reached(message.written);
      wake();
    });
    call.signal.addEventListener("abort", () => wake());
    try {
      for (;;) {
        call.signal.throwIfAborted();
        if (file.hashSlice()) await yieldToOthers();
        else if (isComplete) return await file.verdict();
        else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    } finally {
      file.close();
    }
  },
});
