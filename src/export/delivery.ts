import { Readable } from "node:stream";
import { Problem } from "../domain/problems.ts";
import type { ThreadCall } from "../platform/threads/worker-thread.ts";
import type { StoredFile } from "./contents.ts";
import { type ExportMessages, type PieceMemory, pieceOf } from "./messages.ts";

type OnMessage = (message: ExportMessages["fromCall"]) => void;

/**
 * The bytes of an order. They arrive in memory that is shared with the thread and used again, because a new buffer for each
 * piece makes the garbage collector the slowest part of a download. A slow receiver slows down reading.
 */
export class Delivery extends Readable {
  /** Resolves with the first bytes, or at the end. */
  readonly begun: Promise<void>;
  readonly #call: ThreadCall<ExportMessages>;
  readonly #files: AsyncIterator<StoredFile[]> | undefined;
  /** Pieces that arrived and were not passed on. Their memory is not used again before {@link Delivery.#release}. */
  readonly #arrived: Uint8Array[] = [];
  #isRead = false;
  #isComplete = false;
  #receiver: NodeJS.WritableStream | undefined;

  constructor(
    call: (onMessage: OnMessage) => ThreadCall<ExportMessages>,
    memory: PieceMemory,
    files: AsyncIterable<StoredFile[]> | undefined,
  ) {
    super();
    this.#files = files?.[Symbol.asyncIterator]();
    const begun = Promise.withResolvers<void>();
    this.begun = begun.promise;
    this.once("error", begun.reject);
    let number = 0;
    this.#call = call((message) => {
      if (this.destroyed) return;
      if (message === "wantsFiles") return void this.#sendFiles();
      this.#arrived.push(pieceOf(memory, number++, message.bytes));
      this.#passOn();
      begun.resolve();
    });
    this.#call.result.then(
      (result) => {
        if (this.destroyed) return;
        if ("failed" in result) return void this.destroy(problemOf(result.failed));
        this.#isComplete = true;
        this.#passOn();
        begun.resolve();
      },
      (error: Error) => this.destroy(error),
    );
  }

  /** Writes the pieces without copying them. The memory of a piece is used again when the receiver has sent it. */
  override pipe<T extends NodeJS.WritableStream>(receiver: T): T {
    this.#receiver = receiver;
    this.#passOn();
    return receiver;
  }

  override _read(): void {
    this.#isRead = true;
    this.#passOn();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#call.cancel();
    // The iterator may be reading a page, which is then its last.
    this.#files?.return?.().catch(() => undefined);
    done(error);
  }

  #passOn(): void {
    if (this.#receiver === undefined) this.#push();
    else this.#write(this.#receiver);
  }

  #push(): void {
    while (this.#isRead && this.#arrived.length > 0) {
      this.#isRead = false;
      const copy = Buffer.from(this.#arrived.shift() as Uint8Array);
      this.#release();
      this.push(copy);
    }
    if (this.#isComplete && this.#arrived.length === 0) this.push(null);
  }

  #write(receiver: NodeJS.WritableStream): void {
    for (const piece of this.#arrived.splice(0)) {
      receiver.write(piece, (error) => {
        if (error == null) this.#release();
        else this.destroy();
      });
    }
    if (!this.#isComplete || this.readableEnded) return;
    receiver.end();
    this.push(null);
    this.resume();
  }

  #release(): void {
    this.#call.send("free");
  }

  async #sendFiles(): Promise<void> {
    try {
      const next = await this.#files?.next();
      this.#call.send({ files: next === undefined || next.done === true ? undefined : next.value });
    } catch (error) {
      this.destroy(error as Error);
    }
  }
}

/** The problem that a thread reported. */
export function problemOf({
  code,
  detail,
  cause,
}: Extract<ExportMessages["result"], { failed: object }>["failed"]): Problem {
  return new Problem(code, detail, cause === undefined ? {} : { cause: new Error(cause) });
}
