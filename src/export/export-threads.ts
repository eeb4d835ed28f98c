import { Readable } from "node:stream";
import type { ArchiveLocation } from "../archive/location.ts";
import type { ServiceFile } from "../archive/service-files.ts";
import { Problem } from "../domain/problems.ts";
import { siblingModule, type ThreadCall, WorkerThread } from "../threads/worker-thread.ts";
import type { StoredFile } from "./contents.ts";
import type { BytesOrder, ExportMessages, Order, ServiceFilesOrder } from "./messages.ts";

/** What a thread is given when it begins. */
export interface ThreadData {
  place: ArchiveLocation;
  /** A folder for what grows with the number of files. */
  scratch: string;
}

/** Hashing takes a core at about 1 GiB/s, and most callers take less. */
const THREADS = 2;
/** Versions whose service files are remembered, 2 kB each. */
const REMEMBERED = 1_000;
/** What waits here for a caller that is slower than the archive. */
const WAITING_BYTES = 1 << 20;

/**
 * Hands out what the archive holds, read by threads of their own. They start with the first order; orders are distributed round-robin. What a caller is slow to take is not read before.
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
   * Begins to hand out. Resolves once there are bytes, so that what is wrong from the start is told before an answer begins;
   * the stream fails where it turns out later. Destroying it lets go of everything.
   *
   * @param files of a ZIP or bag, some at a time
   * @throws Problem `content_damaged`, `archive_unreadable`
   */
  async open(order: BytesOrder, files?: AsyncIterable<StoredFile[]>): Promise<Readable> {
    const delivery = new Delivery((onMessage) => this.#call(order, onMessage), files);
    await delivery.begun;
    return delivery;
  }

  /** A version's service files; a version never changes, so they are remembered. @throws Problem as {@link open} */
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

/** The bytes of an order, pulled piece by piece. */
class Delivery extends Readable {
  /** Resolves with the first bytes, or the end. */
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
    // It may be in the middle of a page, which then is its last.
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
