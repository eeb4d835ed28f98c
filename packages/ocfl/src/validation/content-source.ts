import { join } from "node:path";
import type { RegularFiles } from "../io/regular-files.ts";
import { type OnUnreadable, type WalkEntry, walk } from "../io/walk.ts";

/** The location of an object's content. Paths are relative to the object's folder. */
export interface ContentSource {
  /** Everything below a content folder. */
  walk(contentFolder: string, onUnreadable: OnUnreadable): AsyncIterable<WalkEntry>;
  /**
   * Reads a file from its beginning to its end. A piece is valid until `take` returns.
   *
   * @returns its length in bytes
   * @throws Error with a `code` for a problem of this file; the code is `ENOENT` if it is missing
   */
  read(path: string, take: (piece: Uint8Array) => void, signal?: AbortSignal): Promise<number>;
}

/** Content in the object's folder. */
export function contentInFolder(files: RegularFiles): ContentSource {
  return {
    walk: (contentFolder, onUnreadable) => walk(join(files.folder, contentFolder), onUnreadable),
    read: (path, take, signal) => files.read(path, take, signal),
  };
}
