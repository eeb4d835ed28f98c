/** A thread that reads the archive, hashes and packs, so that the thread that answers requests stays free; see threads.ts. */
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { folderOf } from "../archive/inventory-lines.ts";
import { openReader } from "../archive/open-archive.ts";
import { ArchiveCorrupt } from "../archive/read-archived.ts";
import { findOwnFiles } from "../archive/service-files.ts";
import { Problem } from "../domain/problems.ts";
import { bagEntries } from "./bag.ts";
import { bagNames } from "./bag-names.ts";
import { type Folder, opened, part, type StoredFile, unreadable, verified } from "./contents.ts";
import { crateEntries, withNamesInCrate } from "./crate-names.ts";
import type { BytesOrder, FromThread, Order, OwnFilesOrder, ToThread } from "./messages.ts";
import { nameInPackage } from "./package-name.ts";
import { Spool } from "./spool.ts";
import type { ThreadData } from "./threads.ts";
import { type ZipEntry, zip } from "./zip.ts";

if (parentPort === null) throw new Error("This module is a thread of its own; it is not run by itself");

const PIECE_BYTES = 256 << 10;
/** To an object store: a caller that takes a file slowly keeps one of them. */
const CONNECTIONS = 256;
const { place, scratch } = workerData as ThreadData;
const { reader } = await openReader(place, CONNECTIONS);

parentPort.on("message", ({ port, order }: { port: MessagePort; order: Order }) => void serve(new Line(port), order));

async function serve(line: Line, order: Order): Promise<void> {
  try {
    if (order.kind === "own files") {
      line.say({ ended: true, ownFiles: await ownFiles(order) });
      return;
    }
    for await (const bytes of inPieces(bytesOf(order, line))) {
      await line.pulled();
      line.say({ bytes }, [bytes.buffer]);
    }
    await line.pulled();
    line.say({ ended: true });
  } catch (error) {
    if (!line.isClosed) line.say({ failed: failureOf(error) });
  }
}

function bytesOf(order: BytesOrder, line: Line): AsyncIterable<Uint8Array> {
  const path = folderOf(order.dataset);
  const folder: Folder = { read: (contentPath, range) => reader.read(`${path}/${contentPath}`, range) };
  if (order.kind === "file") {
    return order.range === undefined ? verified(folder, order.file) : part(folder, order.file, order.range);
  }
  const nameOf = order.kind === "zip" ? nameInPackage : bagNames(order.marker);
  const files = withNamesInCrate(opened(folder, line.files()), nameOf);
  return zipped(order.kind === "zip" ? crateEntries(files) : bagEntries(files, { ...order, scratch, nameOf }));
}

async function* zipped(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  await using directory = await Spool.create(scratch);
  yield* zip(entries, directory);
}

/** @throws Problem `content_damaged`, `archive_unreadable` */
async function ownFiles({ dataset, version }: OwnFilesOrder) {
  try {
    return await findOwnFiles(reader, dataset, version);
  } catch (error) {
    if (error instanceof ArchiveCorrupt) throw new Problem("content_damaged", error.message, { cause: error });
    throw unreadable("the inventory", error);
  }
}

/** Gathers what comes in pieces of any size, small headers among them, in buffers of their own that can be given away. */
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

function failureOf(error: unknown): Extract<FromThread, { failed: object }>["failed"] {
  if (error instanceof Problem) return { code: error.code, detail: error.message };
  const { code, message } = error as { code?: string; message?: string };
  return { code: "internal_error", detail: `An export broke off: ${code ?? ""} ${message ?? String(error)}` };
}

/** The connection of one order. */
class Line {
  readonly #port: MessagePort;
  #pulls = 0;
  #files: (StoredFile[] | undefined)[] = [];
  #tell: () => void = () => undefined;
  isClosed = false;

  constructor(port: MessagePort) {
    this.#port = port;
    port.on("message", (message: ToThread) => {
      if ("pull" in message) this.#pulls++;
      else this.#files.push(message.files);
      this.#tell();
    });
    port.once("close", () => {
      this.isClosed = true;
      this.#tell();
    });
  }

  say(message: FromThread, give: ArrayBuffer[] = []): void {
    this.#port.postMessage(message, give);
  }

  /** Resolves when the other side wants more. @throws Error when it wants nothing any more */
  async pulled(): Promise<void> {
    await this.#until(() => this.#pulls > 0);
    this.#pulls--;
  }

  /** The files of the order, some asked for at a time. */
  async *files(): AsyncGenerator<StoredFile> {
    for (;;) {
      this.say({ wants: "files" });
      await this.#until(() => this.#files.length > 0);
      const some = this.#files.shift();
      if (some === undefined) return;
      yield* some;
    }
  }

  async #until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      if (this.isClosed) throw new Error("Nobody wants it any more");
      await new Promise<void>((resolve) => {
        const before = this.#tell;
        this.#tell = () => {
          before();
          resolve();
        };
      });
    }
    if (this.isClosed) throw new Error("Nobody wants it any more");
  }
}
