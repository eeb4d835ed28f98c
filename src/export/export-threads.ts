import { Readable } from "node:stream";
import type { ArchiveLocation } from "../archive/location.ts";
import type { ServiceFile } from "../archive/service-files.ts";
import { Problem } from "../domain/problems.ts";
import { siblingModule, type ThreadCall, WorkerThread } from "../threads/worker-thread.ts";
import type { StoredFile } from "./contents.ts";
import type { BytesOrder, ExportMessages, Order, ServiceFilesOrder } from "./messages.ts";

/** The data of a new thread. */
export interface ThreadData {
  place: ArchiveLocation;
  /** A folder for temporary data that grows with the number of files. */
  scratch: string;
}

/** Two threads suffice: hashing uses one core at about 1 GiB/s, and most callers are slower. */
const THREADS = 2;
/** Number of versions whose service files are cached, 2 kB each. */
const REMEMBERED = 1_000;
/** Maximum number of bytes that wait for a slow caller. */
const WAITING_BYTES = 1 << 20;

/**
 * Reads files of the archive and creates packages in worker threads. The threads start with the first order, and orders
 * are distributed round-robin. A slow caller slows down reading.
 */
export class ExportThreads {
  readonly #threads: WorkerThread<ExportMessages>[];
  readonly #serviceFiles = new Map<string, Promise<ServiceFile[]>>();
  #next = 0;

  constructor(data: ThreadData) {
    const module = siblingModule(import.meta.url, "export-thread");
    this.#threads = Array.from(
      { length: THREADS },
      () => new WorkerThread(module, { name: "export", data, unref: true }),
    );
  }

  /**
   * Opens an order. Resolves with the first bytes, so that early errors are reported before a response begins; later
   * errors end the stream. Destroying the stream releases all resources.
   *
   * @param files of a ZIP or bag, in batches
   * @throws Problem `content_damaged`, `archive_unreadable`
   */
  async open(order: BytesOrder, files?: AsyncIterable<StoredFile[]>): Promise<Readable> {
    const delivery = new Delivery((onMessage) => this.#call(order, onMessage), files);
    await delivery.begun;
    return delivery;
  }

  /** A version's service files. They never change, so they are cached. @throws Problem as {@link open} */
  serviceFiles(order: Omit<ServiceFilesOrder, "kind">): Promise<ServiceFile[]> {
    const key = order.version.inventory;
    const known = this.#serviceFiles.get(key);
    if (known !== undefined) return known;
    const finding = this.#findServiceFiles({ kind: "service files", ...order });
    this.#serviceFiles.set(key, finding);
    finding.catch(() => this.#serviceFiles.delete(key));
    const [oldest] = this.#serviceFiles.keys();
    if (this.#serviceFiles.size > REMEMBERED && oldest !== undefined) this.#serviceFiles.delete(oldest);
    return finding;
  }

  async #findServiceFiles(order: ServiceFilesOrder): Promise<ServiceFile[]> {
    const result = await this.#call(order).result;
    if ("failed" in result) throw problemOf(result.failed);
    return result.serviceFiles ?? [];
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.terminate()));
  }

  #call(order: Order, onMessage?: OnMessage): ThreadCall<ExportMessages> {
    const thread = this.#threads[this.#next++ % THREADS] as WorkerThread<ExportMessages>;
    return thread.call(order, onMessage);
  }
}

type OnMessage = (message: ExportMessages["fromCall"]) => void;

/** The bytes of an order, requested piece by piece. */
class Delivery extends Readable {
  /** Resolves with the first bytes, or at the end. */
  readonly begun: Promise<void>;
  readonly #call: ThreadCall<ExportMessages>;
  readonly #files: AsyncIterator<StoredFile[]> | undefined;

  constructor(
    call: (onMessage: OnMessage) => ThreadCall<ExportMessages>,
    files: AsyncIterable<StoredFile[]> | undefined,
  ) {
    super({ highWaterMark: WAITING_BYTES });
    this.#files = files?.[Symbol.asyncIterator]();
    const begun = Promise.withResolvers<void>();
    this.begun = begun.promise;
    this.once("error", begun.reject);
    this.#call = call((message) => {
      if (this.destroyed) return;
      if (message === "wantsFiles") return void this.#sendFiles();
      this.push(message.bytes);
      begun.resolve();
    });
    this.#call.result.then(
      (result) => {
        if (this.destroyed) return;
        if ("failed" in result) return void this.destroy(problemOf(result.failed));
        this.push(null);
        begun.resolve();
      },
      (error: Error) => this.destroy(error),
    );
    this.read(0);
  }

  override _read(): void {
    this.#call.send("pull");
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#call.cancel();
    // The iterator may be reading a page, which is then its last.
    this.#files?.return?.().catch(() => undefined);
    done(error);
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

function problemOf({ code, detail }: Extract<ExportMessages["result"], { failed: object }>["failed"]): Problem {
  return new Problem(code, detail);
}
