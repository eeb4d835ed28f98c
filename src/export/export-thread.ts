/**
 * A thread that reads the archive, hashes and creates packages, so that the thread that serves requests stays
 * responsive; see export-threads.ts.
 */
import { workerData } from "node:worker_threads";
import { folderOf } from "../archive/inventory-lines.ts";
import { openReader } from "../archive/open-archive.ts";
import { ArchiveCorrupt } from "../archive/read-archived.ts";
import { findServiceFiles } from "../archive/service-files.ts";
import { Problem } from "../domain/problems.ts";
import { type ServedCall, serveCalls } from "../threads/serve-calls.ts";
import { bagEntries } from "./bag.ts";
import { bagNames } from "./bag-names.ts";
import { type Folder, opened, part, type StoredFile, unreadable, verified } from "./contents.ts";
import { crateEntries, withNamesInCrate } from "./crate-names.ts";
import type { ThreadData } from "./export-threads.ts";
import type { BytesOrder, ExportMessages, Order, ServiceFilesOrder } from "./messages.ts";
import { nameInPackage } from "./package-name.ts";
import { Spool } from "./spool.ts";
import { type ZipEntry, zip } from "./zip/zip.ts";

const PIECE_BYTES = 256 << 10;
/** Maximum number of connections to an object store. A slow caller occupies one of them. */
const CONNECTIONS = 256;
const { place, scratch } = workerData as ThreadData;
const { reader } = await openReader(place, CONNECTIONS);

serveCalls<ExportMessages>({ call: (order, call) => serve(order, call) });

async function serve(order: Order, call: ServedCall<ExportMessages>): Promise<ExportMessages["result"]> {
  const input = new OrderInput(call);
  try {
    if (order.kind === "service files") return { serviceFiles: await serviceFiles(order) };
    for await (const bytes of inPieces(bytesOf(order, input))) {
      await input.pulled();
      call.send({ bytes }, [bytes.buffer]);
    }
    await input.pulled();
    return {};
  } catch (error) {
    return { failed: failureOf(error) };
  }
}

function bytesOf(order: BytesOrder, input: OrderInput): AsyncIterable<Uint8Array> {
  const path = folderOf(order.dataset);
  const folder: Folder = { read: (contentPath, range) => reader.read(`${path}/${contentPath}`, range) };
  if (order.kind === "file") {
    return order.range === undefined ? verified(folder, order.file) : part(folder, order.file, order.range);
  }
  const nameOf = order.kind === "zip" ? nameInPackage : bagNames(order.marker);
  const files = withNamesInCrate(opened(folder, input.files()), nameOf);
  return zipped(order.kind === "zip" ? crateEntries(files) : bagEntries(files, { ...order, scratch, nameOf }));
}

async function* zipped(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  await using directory = await Spool.create(scratch);
  yield* zip(entries, directory);
}

/** @throws Problem `content_damaged`, `archive_unreadable` */
async function serviceFiles({ dataset, version }: ServiceFilesOrder) {
  try {
    return await findServiceFiles(reader, dataset, version);
  } catch (error) {
    if (error instanceof ArchiveCorrupt) throw new Problem("content_damaged", error.message, { cause: error });
    throw unreadable("the inventory", error);
  }
}

/** Collects pieces of any size, such as small headers, in buffers that can be transferred. */
async function* inPieces(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let piece = new Uint8Array(PIECE_BYTES);
  let filled = 0;
  for await (const bytes of source) {
    for (let at = 0; at < bytes.length; ) {
      const some = bytes.subarray(at, at + PIECE_BYTES - filled);
      piece.set(some, filled);
      filled += some.length;
      at += some.length;
      if (filled < PIECE_BYTES) continue;
      yield piece;
      piece = new Uint8Array(PIECE_BYTES);
      filled = 0;
    }
  }
  if (filled > 0) yield piece.slice(0, filled);
}

function failureOf(error: unknown): Extract<ExportMessages["result"], { failed: object }>["failed"] {
  if (error instanceof Problem) return { code: error.code, detail: error.message };
  const { code, message } = error as { code?: string; message?: string };
  return { code: "internal_error", detail: `An export failed: ${code ?? ""} ${message ?? String(error)}` };
}

/** Receives the messages of the other side about an order: pulls, and the files of a package. */
class OrderInput {
  readonly #call: ServedCall<ExportMessages>;
  readonly #files: (StoredFile[] | undefined)[] = [];
  #pulls = 0;
  #changed = Promise.withResolvers<void>();

  constructor(call: ServedCall<ExportMessages>) {
    this.#call = call;
    call.onMessage((message) => {
      if (message === "pull") this.#pulls++;
      else this.#files.push(message.files);
      this.#changed.resolve();
    });
    call.signal.addEventListener("abort", () => this.#changed.resolve());
  }

  /** Resolves when the other side requests another piece. @throws the signal's reason if the order was cancelled */
  async pulled(): Promise<void> {
    await this.#until(() => this.#pulls > 0);
    this.#pulls--;
  }

  /** The files of the package, requested in batches. */
  async *files(): AsyncGenerator<StoredFile> {
    for (;;) {
      this.#call.send("wantsFiles");
      await this.#until(() => this.#files.length > 0);
      const some = this.#files.shift();
      if (some === undefined) return;
      yield* some;
    }
  }

  async #until(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) {
      this.#call.signal.throwIfAborted();
      await this.#changed.promise;
      this.#changed = Promise.withResolvers();
    }
    this.#call.signal.throwIfAborted();
  }
}
