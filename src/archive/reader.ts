import { createReadStream, type Dir } from "node:fs";
import { type FileHandle, opendir, open as openFile, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { Readable } from "node:stream";

/** A file of an archive. */
export interface ArchivedFile {
  /** Relative to the archive, with `/` as separator: `ocfl/…`, `withdrawn/…`, `jwks.json`. */
  path: string;
  bytes: number;
}

/** A range of a file's bytes: from `from` up to but excluding `to`; at least one byte. */
export interface ByteRange {
  from: number;
  to: number;
}

/** Decides about a folder that this user may not list: true skips it, false ends the listing with the error. */
type SkipUnreadable = (folder: string) => boolean;

/** Reads the files of an archive in a folder or an object store. */
export interface ArchiveReader {
  /** All files below a path, in no particular order. Empty if the path does not exist. */
  list(below: string): AsyncIterable<ArchivedFile>;
  /** The paths of all files below a path. Does not access the files, so other processes may rename or remove them meanwhile. */
  names(below: string, skip?: SkipUnreadable): AsyncIterable<string>;
  /**
   * The bytes of a file, or a range of them. If the file does not exist, the stream fails with the store's error as its
   * cause.
   */
  read(path: string, range?: ByteRange): Promise<Readable>;
  /** Opens a file, for reading into memory of the caller. Only archives in folders have it. @throws the file system's error */
  open?(path: string): Promise<FileHandle>;
  /** Size of a file in bytes; undefined if it does not exist. */
  size(path: string): Promise<number | undefined>;
}

const NOT_PERMITTED: readonly string[] = ["EACCES", "EPERM"];

/** An archive in a folder. */
export class FolderReader implements ArchiveReader {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  async *list(below: string): AsyncGenerator<ArchivedFile> {
    for await (const path of this.names(below)) yield { path, bytes: (await stat(join(this.#root, path))).size };
  }

  async *names(below: string, skip: SkipUnreadable = () => false): AsyncGenerator<string> {
    const open = [join(this.#root, below)];
    for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
      const at = this.#pathOf(folder);
      const entries = await this.openFolder(folder).catch((error: { code?: string }) => {
        const isSkipped = error.code === "ENOENT" || (NOT_PERMITTED.includes(error.code ?? "") && skip(at));
        if (!isSkipped) throw error;
      });
      for await (const entry of entries ?? []) {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) open.push(path);
        else yield this.#pathOf(path);
      }
    }
  }

  /** The entries of a folder. @throws the file system's error */
  protected openFolder(folder: string): Promise<Dir> {
    return opendir(folder);
  }

  #pathOf(path: string): string {
    return relative(this.#root, path).split(sep).join("/");
  }

  async read(path: string, range?: ByteRange): Promise<Readable> {
    const part = range === undefined ? {} : { start: range.from, end: range.to - 1 };
    return createReadStream(join(this.#root, path), { highWaterMark: 1 << 20, ...part });
  }

  open(path: string): Promise<FileHandle> {
    return openFile(join(this.#root, path));
  }

  async size(path: string): Promise<number | undefined> {
    const found = await stat(join(this.#root, path)).catch((error: { code?: string }) => {
      if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
    });
    return found?.size;
  }
}

/** A small file of an archive as text; undefined if it does not exist. */
export async function readTextIfExists(archive: ArchiveReader, path: string): Promise<string | undefined> {
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of await archive.read(path)) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString("utf8");
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return undefined;
    throw error;
  }
}
