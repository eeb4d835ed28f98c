import { constants } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { digester } from "./digests.ts";

const BUFFER = 256 << 10;
/** Symbolic links are not opened, and opening a pipe does not wait for a writer. */
export const OPEN_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Maximum number of paths that are remembered as folders. Most paths have the same folder as the previous one. */
const REMEMBERED = 1_000;

/** The entry at a path is not a file that can be read. */
class NotARegularFile extends Error {
  override readonly name = "NotARegularFile";
  /** Like the `code` of a file system error. */
  readonly code: string;

  constructor(path: string, code = "not a file") {
    super(`${path} is not a regular file`);
    this.code = code;
  }
}

/**
 * The files below a folder with untrusted content. Only regular files below that folder are read: no links, and no
 * devices or pipes, whose content might never end. Paths use `/` as separator.
 */
export class RegularFiles {
  readonly folder: string;
  readonly #folders = new Set<string>();
  /** Buffers that the next read can reuse. */
  readonly #buffers: Buffer[] = [];
  readonly #digests = new Map<string, Promise<string>>();

  constructor(folder: string) {
    this.folder = folder;
  }

  /**
   * Whether a regular file exists. A file that cannot be examined counts as missing; listing its folder reports the
   * reason.
   */
  has(path: string): Promise<boolean> {
    return succeeds(this.#require(path));
  }

  hasFolder(path: string): Promise<boolean> {
    return succeeds(this.#requireFolder(path));
  }

  /** @throws NotARegularFile, or the file system's error; each has a `code` */
  async open(path: string): Promise<FileHandle> {
    await this.#require(path);
    return open(join(this.folder, path), OPEN_FLAGS);
  }

  /**
   * Reads a file from its beginning to its end and returns its length in bytes. A piece is valid until `take` returns.
   *
   * @throws as {@link open}
   */
  async read(path: string, take: (piece: Uint8Array) => void, signal?: AbortSignal): Promise<number> {
    const handle = await this.open(path);
    const buffer = this.#buffers.pop() ?? Buffer.allocUnsafe(BUFFER);
    try {
      return await readAll(handle, buffer, take, signal);
    } finally {
      this.#buffers.push(buffer);
      await handle.close();
    }
  }

  /**
   * The digest of a file that several rules need, in lower-case hexadecimal. The file is read once for each algorithm.
   *
   * @throws the file system's error
   */
  digest(path: string, algorithm: string): Promise<string> {
    const name = `${algorithm} ${path}`;
    const digest =
      this.#digests.get(name) ?? digestFile(join(this.folder, path), algorithm).then((found) => found.digest);
    this.#digests.set(name, digest);
    return digest;
  }

  /** The whole text of a small file; undefined if it cannot be read or is longer than `atMost` bytes. */
  async text(path: string, atMost: number): Promise<string | undefined> {
    const handle = await this.open(path).catch(() => undefined);
    try {
      const { size = Number.POSITIVE_INFINITY } = (await handle?.stat()) ?? {};
      if (handle === undefined || size > atMost) return undefined;
      const buffer = Buffer.alloc(size + 1);
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
      return bytesRead > size ? undefined : buffer.toString("utf8", 0, bytesRead);
    } catch {
      return undefined;
    } finally {
      await handle?.close();
    }
  }

  async #require(path: string): Promise<void> {
    await this.#requireFolder(dirname(path));
    if (!(await lstat(join(this.folder, path))).isFile()) throw new NotARegularFile(path);
  }

  async #requireFolder(path: string): Promise<void> {
    if (path === "." || path === "" || this.#folders.has(path)) return;
    await this.#requireFolder(dirname(path));
    if (!(await lstat(join(this.folder, path))).isDirectory()) throw new NotARegularFile(path);
    if (this.#folders.size >= REMEMBERED) this.#folders.clear();
    this.#folders.add(path);
  }
}

/**
 * The digest of one file, in lower-case hexadecimal, and its length. Links are not followed. Throws file system errors.
 */
export async function digestFile(file: string, algorithm: string): Promise<{ digest: string; bytes: number }> {
  const handle = await open(file, OPEN_FLAGS);
  try {
    const hash = digester(algorithm);
    const bytes = await readAll(handle, Buffer.allocUnsafe(BUFFER), (piece) => hash.update(piece));
    return { digest: hash.digest(), bytes };
  } finally {
    await handle.close();
  }
}

async function readAll(
  handle: FileHandle,
  buffer: Buffer,
  take: (piece: Uint8Array) => void,
  signal?: AbortSignal,
): Promise<number> {
  for (let bytes = 0; ; ) {
    signal?.throwIfAborted();
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, bytes);
    if (bytesRead === 0) return bytes;
    take(buffer.subarray(0, bytesRead));
    bytes += bytesRead;
  }
}

function succeeds(look: Promise<void>): Promise<boolean> {
  return look.then(
    () => true,
    () => false,
  );
}
