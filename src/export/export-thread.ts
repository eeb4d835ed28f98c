/**
 * A thread that reads the archive, hashes and creates packages, so that the thread that serves requests stays
 * responsive; see export-threads.ts.
 */
import type { FileHandle } from "node:fs/promises";
import { workerData } from "node:worker_threads";
import { bagNames, nameInPackage } from "../../packages/rules/src/index.ts";
import { datasetFolder } from "../archive/layout.ts";
import { openReader } from "../archive/open-archive.ts";
import { ArchiveCorrupt } from "../archive/read-archived.ts";
import type { ByteRange } from "../archive/reader.ts";
import { findServiceFiles } from "../archive/service-files.ts";
import { catalogue, Problem } from "../domain/problems.ts";
import { type ServedCall, serveCalls } from "../platform/threads/serve-calls.ts";
import { bagEntries } from "./bag.ts";
import {
  type Folder,
  opened,
  part,
  publicFiles,
  type ServedFile,
  type StoredFile,
  unreadable,
  verified,
} from "./contents.ts";
import { crateEntries, withNamesInCrate } from "./crate-names.ts";
import type { ThreadData } from "./export-threads.ts";
import {
  type BytesOrder,
  type ExportMessages,
  type PieceMemory,
  pieceOf,
  piecesIn,
  type ServiceFilesOrder,
} from "./messages.ts";
import { Spool } from "./spool.ts";
import { type ZipEntry, zip } from "./zip/zip.ts";

/** Maximum number of connections to an object store. A slow caller occupies one of them. */
const CONNECTIONS = 256;
const { place, scratch } = workerData as ThreadData;
const { reader } = await openReader(place, CONNECTIONS);

serveCalls<ExportMessages>({ call: (order, call) => serve(order, call) });

async function serve(
  order: ExportMessages["request"],
  call: ServedCall<ExportMessages>,
): Promise<ExportMessages["result"]> {
  const input = new OrderInput(call);
  try {
    if (order.kind === "service files") return { serviceFiles: await serviceFiles(order) };
    const pieces = new Pieces(order.memory, input, call);
    await sendAll(bytesOf(order, input, pieces), pieces);
    return {};
  } catch (error) {
    return { failed: failureOf(error) };
  }
}

function bytesOf(order: BytesOrder, input: OrderInput, pieces: Pieces): AsyncIterable<Uint8Array> {
  const path = datasetFolder(order.dataset);
  const folder = openFolder(order.dataset);
  if (order.kind === "file") {
    const { file } = order;
    const direct: Folder = {
      async read(contentPath, range) {
        const at = `${path}/${contentPath}`;
        // A file of another size is damaged, which is found out while it is read in the usual way.
        if (reader.open === undefined || (await reader.size(at)) !== file.bytes) return reader.read(at, range);
        return readInto(pieces, await reader.open(at), range ?? { from: 0, to: file.bytes });
      },
    };
    // A reduced file is collected before it is sent, which the memory of the pieces is too small for.
    const from = file.archived === undefined ? direct : folder;
    return order.range === undefined ? verified(from, file) : part(from, file, order.range);
  }
  const nameOf = order.kind === "zip" ? nameInPackage : bagNames(order.marker);
  const files = withNamesInCrate(opened(folder, input.files()), nameOf);
  return zipped(order.kind === "zip" ? crateEntries(files) : bagEntries(files, { ...order, scratch, nameOf }));
}

async function* zipped(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  await using directory = await Spool.create(scratch);
  yield* zip(entries, directory);
}

function openFolder(dataset: string): Folder {
  const path = datasetFolder(dataset);
  return { read: (contentPath, range) => reader.read(`${path}/${contentPath}`, range) };
}

/** @throws Problem `content_damaged`, `archive_unreadable` */
async function serviceFiles({ dataset, version, isPublic }: ServiceFilesOrder): Promise<ServedFile[]> {
  try {
    const archived = await findServiceFiles(reader, dataset, version);
    return isPublic ? await publicFiles(openFolder(dataset), archived) : archived;
  } catch (error) {
    // The storage reports all its failures as this one, for the operator.
    if (error instanceof Problem && error.code !== "archive_unwritable") throw error;
    if (error instanceof ArchiveCorrupt) throw new Problem("content_damaged", error.message, { cause: error });
    throw unreadable("the inventory", error);
  }
}

/** The memory of the pieces of an order. Each is sent before the next one. */
class Pieces {
  readonly #memory: PieceMemory;
  readonly #input: OrderInput;
  readonly #call: ServedCall<ExportMessages>;
  #taken = 0;

  constructor(memory: PieceMemory, input: OrderInput, call: ServedCall<ExportMessages>) {
    this.#memory = memory;
    this.#input = input;
    this.#call = call;
  }

  /** Resolves with the memory of the next piece when it is free. @throws the signal's reason if the order was cancelled */
  async next(): Promise<Uint8Array> {
    if (this.#taken >= piecesIn(this.#memory)) await this.#input.freed();
    return pieceOf(this.#memory, this.#taken++);
  }

  /** Sends the piece that was taken first, of those that were not sent. */
  send(bytes: number): void {
    this.#call.send({ bytes });
  }

  /** Whether these are bytes in the memory of a piece. */
  has({ buffer }: Uint8Array): boolean {
    return buffer === this.#memory.shared;
  }
}

/** Sends bytes of any size, such as small headers, in pieces that are full, except the last one. */
async function sendAll(source: AsyncIterable<Uint8Array>, pieces: Pieces): Promise<void> {
  let piece: Uint8Array | undefined;
  let filled = 0;
  for await (const bytes of source) {
    if (pieces.has(bytes)) {
      pieces.send(bytes.length);
      continue;
    }
    for (let at = 0; at < bytes.length; ) {
      piece ??= await pieces.next();
      const some = bytes.subarray(at, at + piece.length - filled);
      piece.set(some, filled);
      filled += some.length;
      at += some.length;
      if (filled < piece.length) continue;
      pieces.send(filled);
      piece = undefined;
      filled = 0;
    }
  }
  if (filled > 0) pieces.send(filled);
}

/** Reads a file of a folder into the memory of the pieces, without another copy. */
async function* readInto(pieces: Pieces, opened: FileHandle, { from, to }: ByteRange) {
  await using file = opened;
  for (let at = from; at < to; ) {
    const piece = await pieces.next();
    const wanted = Math.min(piece.length, to - at);
    const filled = await fill(piece.subarray(0, wanted), file, at);
    if (filled > 0) yield piece.subarray(0, filled);
    if (filled < wanted) return;
    at += filled;
  }
}

/** Reads until the memory is full or the file ends: some file systems return fewer bytes. @returns the number of bytes */
async function fill(memory: Uint8Array, file: FileHandle, from: number): Promise<number> {
  for (let filled = 0; ; ) {
    const { bytesRead } = await file.read(memory, filled, memory.length - filled, from + filled);
    filled += bytesRead;
    if (bytesRead === 0 || filled === memory.length) return filled;
  }
}

/** What the other side is told of an error. Only its detail is for callers. */
function failureOf(error: unknown): Extract<ExportMessages["result"], { failed: object }>["failed"] {
  if (error instanceof Problem) {
    const { code, message: detail, cause } = error;
    return { code, detail, ...(cause !== undefined && { cause: String((cause as Error).stack ?? cause) }) };
  }
  const cause = String((error as Error).stack ?? error);
  return { code: "internal_error", detail: catalogue.internal_error.title, cause };
}

/** Receives the messages of the other side about an order: free memory, and the files of a package. */
class OrderInput {
  readonly #call: ServedCall<ExportMessages>;
  readonly #files: (StoredFile[] | undefined)[] = [];
  #free = 0;
  #changed = Promise.withResolvers<void>();

  constructor(call: ServedCall<ExportMessages>) {
    this.#call = call;
    call.onMessage((message) => {
      if (message === "free") this.#free++;
      else this.#files.push(message.files);
      this.#changed.resolve();
    });
    call.signal.addEventListener("abort", () => this.#changed.resolve());
  }

  /** Resolves when the memory of one more piece is free. @throws the signal's reason if the order was cancelled */
  async freed(): Promise<void> {
    await this.#until(() => this.#free > 0);
    this.#free--;
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
