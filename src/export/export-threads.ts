import type { Readable } from "node:stream";
import { LRUCache } from "lru-cache";
import type { ArchiveLocation } from "../archive/location.ts";
import { siblingModule, type ThreadCall, WorkerThread } from "../platform/threads/worker-thread.ts";
import type { ServedFile, StoredFile } from "./contents.ts";
import { Delivery, problemOf } from "./delivery.ts";
import { type BytesOrder, type ExportMessages, pieceMemory, type ServiceFilesOrder } from "./messages.ts";

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

/**
 * Reads files of the archive and creates packages in worker threads. The threads start with the first order, and orders
 * are distributed round-robin. A slow caller slows down reading.
 */
export class ExportThreads {
  readonly #threads: WorkerThread<ExportMessages>[];
  readonly #serviceFiles = new LRUCache<string, Promise<ServedFile[]>>({ max: REMEMBERED });
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
    const memory = pieceMemory(order.kind === "file" ? bytesOf(order) : undefined);
    const delivery = new Delivery((onMessage) => this.#call({ ...order, memory }, onMessage), memory, files);
    await delivery.begun;
    return delivery;
  }

  /** A version's service files for a kind of readers. They never change, so they are cached. @throws Problem as {@link open} */
  serviceFiles(order: Omit<ServiceFilesOrder, "kind">): Promise<ServedFile[]> {
    const key = `${order.version.inventory} ${order.isPublic}`;
    const known = this.#serviceFiles.get(key);
    if (known !== undefined) return known;
    const finding = this.#findServiceFiles({ kind: "service files", ...order });
    this.#serviceFiles.set(key, finding);
    finding.catch(() => this.#serviceFiles.delete(key));
    return finding;
  }

  async #findServiceFiles(order: ServiceFilesOrder): Promise<ServedFile[]> {
    const result = await this.#call(order).result;
    if ("failed" in result) throw problemOf(result.failed);
    return result.serviceFiles ?? [];
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.terminate()));
  }

  #call(
    order: ExportMessages["request"],
    onMessage?: (message: ExportMessages["fromCall"]) => void,
  ): ThreadCall<ExportMessages> {
    const thread = this.#threads[this.#next++ % THREADS] as WorkerThread<ExportMessages>;
    return thread.call(order, onMessage);
  }
}

function bytesOf({ file, range }: Extract<BytesOrder, { kind: "file" }>): number {
  return range === undefined ? file.bytes : range.to - range.from;
}
