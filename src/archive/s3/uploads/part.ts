import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { unwritable } from "../../folder/durable-writes.ts";
import type { PartMemory } from "./memory.ts";

/** A part of a large object that is being received. Its bytes arrive in any order, each byte once. */
export interface Part {
  /** Number of bytes received. */
  readonly filled: number;
  write(at: number, chunk: Uint8Array): void;
  /** Received bytes, in pieces. Each piece is valid until the next is requested. */
  read(from: number, to: number): Iterable<Uint8Array>;
  /** All bytes of the part, to be sent. */
  whole(): Uint8Array;
  /** Releases memory and files. */
  drop(): void;
}

/** A part in memory, the usual case. */
export class MemoryPart implements Part {
  filled = 0;
  readonly #memory: PartMemory;
  readonly #bytes: number;
  #buffer: Buffer | undefined;

  /** @param size of the buffer, which is that of all parts but the last @param bytes of this part */
  constructor(memory: PartMemory, size: number, bytes: number) {
    this.#memory = memory;
    this.#bytes = bytes;
    this.#buffer = memory.take(size);
  }

  write(at: number, chunk: Uint8Array): void {
    this.#buffer?.set(chunk, at);
    this.filled += chunk.length;
  }

  read(from: number, to: number): Uint8Array[] {
    return [this.#held.subarray(from, to)];
  }

  whole(): Uint8Array {
    return this.#held.subarray(0, this.#bytes);
  }

  drop(): void {
    if (this.#buffer !== undefined) this.#memory.give(this.#buffer);
    this.#buffer = undefined;
  }

  get #held(): Buffer {
    if (this.#buffer === undefined) throw new Error("The part was dropped");
    return this.#buffer;
  }
}

const PIECE = 1024 * 1024;

/** A part in a scratch file: it is too large for memory, or arrived before memory was free. */
export class FilePart implements Part {
  filled = 0;
  readonly #path: string;
  readonly #bytes: number;
  #descriptor: number;

  constructor(path: string, bytes: number) {
    this.#path = path;
    this.#bytes = bytes;
    this.#descriptor = asProblem(() => openSync(path, "wx+", 0o600));
  }

  write(at: number, chunk: Uint8Array): void {
    asProblem(() => {
      for (let done = 0; done < chunk.length; ) {
        done += writeSync(this.#descriptor, chunk, done, chunk.length - done, at + done);
      }
    });
    this.filled += chunk.length;
  }

  *read(from: number, to: number): Generator<Uint8Array> {
    const piece = Buffer.allocUnsafe(Math.min(PIECE, to - from));
    for (let at = from; at < to; ) {
      const length = readSync(this.#descriptor, piece, 0, Math.min(PIECE, to - at), at);
      if (length === 0) throw new Error("The scratch file is shorter than the data that was written");
      yield piece.subarray(0, length);
      at += length;
    }
  }

  whole(): Uint8Array {
    const all = Buffer.allocUnsafeSlow(this.#bytes);
    let at = 0;
    for (const piece of this.read(0, this.#bytes)) {
      all.set(piece, at);
      at += piece.length;
    }
    return all;
  }

  drop(): void {
    if (this.#descriptor === -1) return;
    closeSync(this.#descriptor);
    this.#descriptor = -1;
    rmSync(this.#path, { force: true });
  }
}

function asProblem<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw unwritable(error);
  }
}
