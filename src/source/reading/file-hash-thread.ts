/** A thread that hashes files while another thread writes them; see file-hashers.ts. */
import { closeSync, openSync, readSync } from "node:fs";
import { setImmediate as yieldToOthers } from "node:timers/promises";
import { serveCalls } from "../../platform/threads/serve-calls.ts";
import { type DigestResult, type StatedDigests, StreamingDigests } from "./digests.ts";
import type { HashMessages } from "./file-hashers.ts";

const PIECE = 1024 * 1024;
/** Bytes that are hashed before other files of this thread continue, and a file can be cancelled. */
const SLICE = 32 * PIECE;
const piece = Buffer.allocUnsafe(PIECE);

/** A file that is hashed up to the position that has been written. */
class GrowingFile {
  readonly #descriptor: number;
  readonly #digests: StreamingDigests;
  readonly #bytes: number;
  #hashed = 0;
  #written = 0;

  constructor(path: string, offers: StatedDigests) {
    this.#descriptor = openSync(path, "r");
    this.#digests = new StreamingDigests(offers);
    this.#bytes = offers.bytes;
  }

  /** Reports that all bytes before this position are written; by default the whole file. */
  reached(position = this.#bytes): void {
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
    closeSync(this.#descriptor);
  }

  *#read(from: number, to: number): Generator<Buffer> {
    for (let at = from; at < to; ) {
      const length = readSync(this.#descriptor, piece, 0, Math.min(PIECE, to - at), at);
      if (length === 0) throw new Error("The file is shorter than the bytes that were written");
      at += length;
      yield piece.subarray(0, length);
    }
  }
}

serveCalls<HashMessages>({
  call: async ({ path, offers }, call) => {
    const file = new GrowingFile(path, offers);
    let isComplete = false;
    let wake: () => void = () => undefined;
    call.onMessage((message) => {
      if (message === "complete") isComplete = true;
      file.reached(message === "complete" ? undefined : message.written);
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
