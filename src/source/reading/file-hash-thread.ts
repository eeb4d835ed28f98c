/** A thread that hashes files behind those who write them; see follow.ts. */
import { closeSync, openSync, readSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { DigestsInPassing, type Offers, type Verdict } from "./digests.ts";
import type { FromHasher, ToHasher } from "./file-hashers.ts";

const PIECE = 1024 * 1024;
/** So many bytes at a time; then other files of this thread have their turn, and a file can be stopped. */
const TURN = 32 * PIECE;
const piece = Buffer.allocUnsafe(PIECE);

class Followed {
  readonly #descriptor: number;
  readonly #digests: DigestsInPassing;
  readonly #bytes: number;
  #at = 0;
  #written = 0;

  constructor(path: string, offers: Offers) {
    this.#descriptor = openSync(path, "r");
    this.#digests = new DigestsInPassing(offers);
    this.#bytes = offers.bytes;
  }

  /** Everything below this place is written; without one, the whole file is. */
  reached(place = this.#bytes): void {
    this.#written = place;
  }

  /** Hashes some of what is written. True when there is more. */
  advance(): boolean {
    const to = Math.min(this.#written, this.#at + TURN);
    for (const chunk of this.#read(this.#at, to)) this.#digests.update(chunk);
    this.#at = to;
    return this.#at < this.#written;
  }

  verdict(): Promise<Verdict> {
    return this.#digests.finish(() => this.#read(0, this.#bytes));
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  *#read(from: number, to: number): Generator<Buffer> {
    for (let at = from; at < to; ) {
      const length = readSync(this.#descriptor, piece, 0, Math.min(PIECE, to - at), at);
      if (length === 0) throw new Error("The file is shorter than what was written");
      at += length;
      yield piece.subarray(0, length);
    }
  }
}

const port = parentPort;
if (port === null) throw new Error("This module is a thread of its own; it is not run by itself");
const files = new Map<number, Followed>();
const ended = new Set<number>();
const atWork = new Set<number>();
const answer = (message: FromHasher) => port.postMessage(message);

function forget(id: number): void {
  files.get(id)?.close();
  files.delete(id);
  ended.delete(id);
}

/** Takes turns on a file until all that is written of it is hashed. */
async function work(id: number): Promise<void> {
  atWork.delete(id);
  const file = files.get(id);
  if (file === undefined) return;
  try {
    if (file.advance()) plan(id);
    else if (ended.has(id)) {
      const verdict = await file.verdict();
      forget(id);
      answer({ id, verdict });
    }
  } catch (error) {
    forget(id);
    answer({ id, error: error as Error });
  }
}

function plan(id: number): void {
  if (atWork.has(id)) return;
  atWork.add(id);
  setImmediate(() => void work(id));
}

port.on("message", (message: ToHasher) => {
  const { id } = message;
  try {
    if (message.what === "follow") files.set(id, new Followed(message.path, message.offers));
    else if (message.what === "stop") forget(id);
    else {
      if (message.what === "end") ended.add(id);
      files.get(id)?.reached(message.what === "reached" ? message.place : undefined);
      plan(id);
    }
  } catch (error) {
    forget(id);
    answer({ id, error: error as Error });
  }
});
