import { randomUUID } from "node:crypto";
import { writeSync } from "node:fs";
import { type FileHandle, mkdir, open, unlink } from "node:fs/promises";
import { join } from "node:path";
import { textLines } from "../../domain/digest-lists/text-lines.ts";
import { inMessage } from "../../domain/in-message.ts";
import { compareKeys } from "../../domain/keys-and-paths/path.ts";
import { Problem } from "../../domain/problems.ts";
import { type DigestResult, type StatedDigests, StreamingDigests } from "../reading/digests.ts";
import type { Destination, ListedObject, ListingPage, Source } from "../source.ts";
import { type HeldSpace, type Scratch, ScratchFull } from "./scratch.ts";

/** A list with 10 million lines of SHA-256. */
const MOST_BYTES = 1024 * 1024 * 1024;
const PIECE = 64 * 1024;

/** Where lists are, and where they are stored while they are parsed. */
export interface ListSource {
  source: Source;
  scratch: Scratch;
  /** The submission, for the limit on concurrent requests. */
  owner: string;
  signal: AbortSignal;
}

/** The object with this key; undefined if the source has none. */
export async function findObject({ source, signal }: ListSource, key: string): Promise<ListedObject | undefined> {
  const left = new AbortController();
  const pages = source.pages({ prefix: key, position: undefined }, AbortSignal.any([signal, left.signal]));
  try {
    for await (const page of pages) {
      const found = page.objects.find((object) => object.key === key);
      if (found !== undefined || isBehind(page, key)) return found;
    }
    return undefined;
  } finally {
    left.abort();
  }
}

/** Whether a page of a listing in order is behind a key, so that later pages cannot have it. */
export function isBehind({ objects }: ListingPage, key: string): boolean {
  const last = objects.at(-1);
  const isOrdered = objects.every((object, index) => {
    const before = objects[index - 1];
    return before === undefined || compareKeys(before.key, object.key) < 0;
  });
  return isOrdered && last !== undefined && compareKeys(last.key, key) > 0;
}

/**
 * The lines of a text object, without line feeds. It is stored in a temporary file first, so that slow parsing does not need memory.
 *
 * @param stored is told the SHA-512 of the object before the first line
 * @throws Problem `digest_list_unreadable` if the object cannot be read or is too large; `digest_list_invalid` if it is no UTF-8, or has
 * too long or too many lines; `no_space`; problems of the source; the reason of the signal
 */
export async function* linesOf(
  from: ListSource,
  object: ListedObject,
  stored?: (sha512: string) => void,
): AsyncGenerator<string> {
  const key = inMessage(object.key);
  if (object.bytes > MOST_BYTES) throw unreadable(`“${key}” is larger than 1 GiB`);
  await using file = await TemporaryFile.create(from.scratch, object);
  const sha512 = await store(from, object, file);
  stored?.(sha512);
  yield* textLines(file.pieces(), object.key, from.signal);
}

/** @returns the SHA-512 of the object in lower-case hex */
async function store(
  { source, owner, signal }: ListSource,
  object: ListedObject,
  file: TemporaryFile,
): Promise<string> {
  try {
    // In one piece and in order: lists are small.
    const read = async () => (await source.read({ object, owner, signal }, file, Number.POSITIVE_INFINITY)).verdict;
    const first = await read();
    // As other objects: a mismatch can be of the transfer, and some servers' ETags are no MD5.
    const again = first.mismatch === undefined ? first : await read();
    if (again.mismatch?.by === "checksum" || (again.mismatch !== undefined && again.sha512 !== first.sha512))
      throw unreadable(`“${inMessage(object.key)}” differed from the checksum that its server reports, in two reads`);
    return again.sha512;
  } catch (error) {
    if (error instanceof Problem && error.code.startsWith("object_"))
      throw new Problem("digest_list_unreadable", error.message, { cause: error });
    throw error;
  }
}

/** The bytes of an object in a file without a name, which disappears even if the process is killed. */
class TemporaryFile implements Destination, AsyncDisposable {
  readonly kept = 0;
  readonly #file: FileHandle;
  readonly #space: HeldSpace;
  readonly #withoutSpace: (error: unknown) => unknown;
  #offers: StatedDigests | undefined;

  private constructor(file: FileHandle, space: HeldSpace, withoutSpace: (error: unknown) => unknown) {
    this.#file = file;
    this.#space = space;
    this.#withoutSpace = withoutSpace;
  }

  /** @throws ScratchFull if there is not enough space for the object */
  static async create(scratch: Scratch, { key, bytes }: ListedObject): Promise<TemporaryFile> {
    const withoutSpace = (error: unknown) => asScratchFull(error, { bytes, folder: scratch.folder });
    const what = `The temporary copy of “${inMessage(key)}” needs`;
    const space = await scratch.hold(bytes, what).catch((error: unknown) => {
      throw withoutSpace(error);
    });
    try {
      await mkdir(scratch.folder, { recursive: true, mode: 0o700 });
      const path = join(scratch.folder, `list-${randomUUID()}`);
      const file = await open(path, "wx+", 0o600);
      await unlink(path);
      return new TemporaryFile(file, space, withoutSpace);
    } catch (error) {
      space.release();
      throw withoutSpace(error);
    }
  }

  begin(offers: StatedDigests): void {
    this.#offers = offers;
  }

  write(at: number, chunk: Uint8Array): void {
    try {
      for (let done = 0; done < chunk.length; )
        done += writeSync(this.#file.fd, chunk, done, chunk.length - done, at + done);
    } catch (error) {
      throw this.#withoutSpace(error);
    }
    this.#space.use(chunk.length);
  }

  reached(): void {}

  async verdict(): Promise<DigestResult> {
    if (this.#offers === undefined) throw new Error("No object was read");
    const digests = new StreamingDigests(this.#offers);
    for await (const piece of this.pieces()) digests.update(piece);
    return digests.finish(() => this.pieces());
  }

  async *pieces(): AsyncGenerator<Buffer> {
    for (let at = 0; ; ) {
      const { bytesRead, buffer } = await this.#file.read(Buffer.allocUnsafe(PIECE), 0, PIECE, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#space.release();
    await this.#file.close();
  }
}

/** Turns the error of a full disk into a Problem for the operator. Returns other errors unchanged. */
function asScratchFull(cause: unknown, of: { bytes: number; folder: string }): unknown {
  const { code, message } = cause as { code?: string; message: string };
  if (code === "no_space") return new ScratchFull({ ...of, message, cause });
  if (code !== "ENOSPC" && code !== "EDQUOT") return cause;
  return new ScratchFull({ ...of, message: "The disk of the data folder is full", cause });
}

function unreadable(detail: string): Problem {
  return new Problem("digest_list_unreadable", detail);
}
