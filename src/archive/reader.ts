import { createReadStream } from "node:fs";
import { opendir, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import type { Readable } from "node:stream";

/** A file of an archive. */
export interface ArchivedFile {
  /** Below the archive, with `/` between the parts: `ocfl/…`, `withdrawn/…`, `jwks.json`. */
  path: string;
  bytes: number;
}

/** Bytes of a file, from `from` on, up to and without `to`; at least one. */
export interface ByteRange {
  from: number;
  to: number;
}

/** Reads an archive as it lies, wherever that is. */
export interface ArchiveReader {
  /** All files below a path, in no order that counts; none where nothing lies. */
  list(below: string): AsyncIterable<ArchivedFile>;
  /** The bytes of a file, or some of them. The stream fails, with the store's error as its cause, when there is none. */
  read(path: string, range?: ByteRange): Promise<Readable>;
  /** How many bytes a file has; undefined when there is none. */
  size(path: string): Promise<number | undefined>;
}

/** An archive in a folder. */
export class FolderReader implements ArchiveReader {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  async *list(below: string): AsyncGenerator<ArchivedFile> {
    const open = [join(this.#root, below)];
    for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
      const entries = await opendir(folder).catch((error: { code?: string }) => {
        if (error.code === "ENOENT") return undefined;
        throw error;
      });
      if (entries === undefined) continue;
      for await (const entry of entries) {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) open.push(path);
        else yield { path: relative(this.#root, path).split(sep).join("/"), bytes: (await stat(path)).size };
      }
    }
  }

  async read(path: string, range?: ByteRange): Promise<Readable> {
    const part = range === undefined ? {} : { start: range.from, end: range.to - 1 };
    return createReadStream(join(this.#root, path), { highWaterMark: 1 << 20, ...part });
  }

  async size(path: string): Promise<number | undefined> {
    const found = await stat(join(this.#root, path)).catch((error: { code?: string }) => {
      if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
    });
    return found?.size;
  }
}
