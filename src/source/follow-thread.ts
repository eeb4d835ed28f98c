/** A thread that hashes files behind those who write them; see follow.ts. */
import { closeSync, openSync, readSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { DigestsInPassing, type Offers, type Verdict } from "./digests.ts";
import type { FromFollower, ToFollower } from "./follow.ts";

const PIECE = 1024 * 1024;
const piece = Buffer.allocUnsafe(PIECE);

class Followed {
  readonly #descriptor: number;
  readonly #digests: DigestsInPassing;
  readonly #bytes: number;
  #at = 0;

  constructor(path: string, offers: Offers) {
    this.#descriptor = openSync(path, "r");
    this.#digests = new DigestsInPassing(offers);
    this.#bytes = offers.bytes;
  }

  /** Hashes what has come up to a place. */
  advance(place: number): void {
    for (const chunk of this.#read(this.#at, place)) this.#digests.update(chunk);
    this.#at = place;
  }

  async finish(): Promise<Verdict> {
    this.advance(this.#bytes);
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
const answer = (message: FromFollower) => port.postMessage(message);

port.on("message", async (message: ToFollower) => {
  const { id } = message;
  const file = files.get(id);
  try {
    if (message.what === "follow") files.set(id, new Followed(message.path, message.offers));
    else if (message.what === "reached") file?.advance(message.place);
    else {
      files.delete(id);
      if (message.what === "end" && file !== undefined) answer({ id, verdict: await file.finish() });
      file?.close();
    }
  } catch (error) {
    files.delete(id);
    file?.close();
    answer({ id, error: error as Error });
  }
});
