import { extname } from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import type { ArchiveLocation } from "../archive/open-archive.ts";
import type { OwnFile } from "../archive/service-files.ts";
import { Problem } from "../domain/problems.ts";
import type { StoredFile } from "./contents.ts";
import type { BytesOrder, FromThread, Order, OwnFilesOrder } from "./messages.ts";

/** What a thread is given when it begins. */
export interface ThreadData {
  place: ArchiveLocation;
  /** A folder for what grows with the number of files. */
  scratch: string;
}

/** Hashing takes a core at about 1 GiB/s, and most callers take less. */
const THREADS = 2;
/** Versions whose own files are remembered, 2 kB each. */
const REMEMBERED = 1_000;
/** What waits here for a caller that is slower than the archive. */
const WAITING_BYTES = 1 << 20;

/**
 * Hands out what the archive holds, read by threads of their own. They begin with the first order; each order goes to the
 * next one in turn. What a caller is slow to take is not read before.
 */
export class ExportThreads {
  readonly #data: ThreadData;
  readonly #workers: (Worker | undefined)[] = Array.from({ length: THREADS });
  readonly #ownFiles = new Map<string, Promise<OwnFile[]>>();
  #next = 0;

  constructor(data: ThreadData) {
    this.#data = data;
  }

  /**
   * Begins to hand out. Resolves once there are bytes, so that what is wrong from the start is told before an answer begins;
   * the stream fails where it turns out later. Destroying it lets go of everything.
   *
   * @param files of a ZIP or bag, some at a time
   * @throws Problem `content_damaged`, `archive_unreadable`
   */
  async open(order: BytesOrder, files?: AsyncIterable<StoredFile[]>): Promise<Readable> {
    const delivery = new Delivery(this.#place(order), files);
    await delivery.begun;
    return delivery;
  }

  /** A version's own files; a version never changes, so they are remembered. @throws Problem as {@link open} */
  ownFiles(order: Omit<OwnFilesOrder, "kind">): Promise<OwnFile[]> {
    const key = order.version.inventory;
    const known = this.#ownFiles.get(key);
    if (known !== undefined) return known;
    const finding = this.#findOwnFiles({ kind: "own files", ...order });
    this.#ownFiles.set(key, finding);
    finding.catch(() => this.#ownFiles.delete(key));
    const [oldest] = this.#ownFiles.keys();
    if (this.#ownFiles.size > REMEMBERED && oldest !== undefined) this.#ownFiles.delete(oldest);
    return finding;
  }

  async #findOwnFiles(order: OwnFilesOrder): Promise<OwnFile[]> {
    const port = this.#place(order);
    try {
      return await new Promise<OwnFile[]>((resolve, reject) => {
        port.once("close", () => reject(ended()));
        port.on("message", (message: FromThread) => {
          if ("failed" in message) reject(problemOf(message.failed));
          else if ("ended" in message) resolve(message.ownFiles ?? []);
        });
      });
    } finally {
      port.close();
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.splice(0).map((worker) => worker?.terminate()));
  }

  #place(order: Order): MessagePort {
    const turn = this.#next++ % THREADS;
    const worker = this.#workers[turn] ?? this.#start(turn);
    const { port1, port2 } = new MessageChannel();
    worker.postMessage({ port: port2, order }, [port2]);
    return port1;
  }

  #start(turn: number): Worker {
    const module = fileURLToPath(new URL(`./thread${extname(import.meta.url)}`, import.meta.url));
    const worker = new Worker(module, { name: "export", workerData: this.#data });
    this.#workers[turn] = worker;
    // Ports close with their thread, and whoever waits there is told; the next order starts another one.
    worker.on("error", () => undefined);
    worker.once("exit", () => {
      if (this.#workers[turn] === worker) this.#workers[turn] = undefined;
    });
    worker.unref();
    return worker;
  }
}

/** The bytes of an order, pulled piece by piece. */
class Delivery extends Readable {
  /** Resolves with the first bytes, or the end. */
  readonly begun: Promise<void>;
  readonly #port: MessagePort;
  readonly #files: AsyncIterator<StoredFile[]> | undefined;

  constructor(port: MessagePort, files: AsyncIterable<StoredFile[]> | undefined) {
    super({ highWaterMark: WAITING_BYTES });
    this.#port = port;
    this.#files = files?.[Symbol.asyncIterator]();
    const begun = Promise.withResolvers<void>();
    this.begun = begun.promise;
    this.once("error", begun.reject);
    port.once("close", () => this.destroy(ended()));
    port.on("message", (message: FromThread) => {
      if ("wants" in message) return void this.#tellFiles();
      if ("failed" in message) return void this.destroy(problemOf(message.failed));
      this.push("bytes" in message ? message.bytes : null);
      begun.resolve();
    });
    this.read(0);
  }

  override _read(): void {
    this.#port.postMessage({ pull: true });
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#port.close();
    // It may be in the middle of a page, which then is its last.
    this.#files?.return?.().catch(() => undefined);
    done(error);
  }

  async #tellFiles(): Promise<void> {
    try {
      const next = await this.#files?.next();
      this.#port.postMessage({ files: next === undefined || next.done === true ? undefined : next.value });
    } catch (error) {
      this.destroy(error as Error);
    }
  }
}

function problemOf({ code, detail }: Extract<FromThread, { failed: object }>["failed"]): Problem {
  return new Problem(code, detail);
}

function ended(): Error {
  return new Error("The thread that read the archive has ended");
}
