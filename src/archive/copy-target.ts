import { open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolder, syncFolder } from "./durable.ts";
import { makeStorageRoot } from "./ocfl/layout.ts";
import { type ArchiveReader, FolderReader } from "./reader.ts";
import { unwritable } from "./unwritable.ts";

/** Where archives are copied to. Paths are those below the archive. */
export interface CopyTarget extends ArchiveReader {
  /** Makes it an archive, unless it is one. @throws Error that says why it cannot be */
  prepare(): Promise<void>;
  /** Writes a file durably: whole, or not at all when the content fails. */
  put(path: string, bytes: number, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** Files of this dataset are about to be put; what an earlier try has left of it is removed. */
  begin(object: string): Promise<void>;
  /** All files of the dataset are put, its root inventory last: it is visible from now on, if it was not before. */
  publish(object: string): Promise<void>;
  /** Removes what was put of a dataset that is not to be seen. */
  drop(object: string): Promise<void>;
  close(): Promise<void>;
}

/** An archive in a folder: a dataset gathers beside the storage root and appears by one rename. */
export class FolderTarget extends FolderReader implements CopyTarget {
  readonly #root: string;
  readonly #aside: string;
  #object: string | undefined;

  constructor(root: string) {
    super(root);
    this.#root = root;
    this.#aside = join(root, "staging", "copy");
  }

  async prepare(): Promise<void> {
    await makeStorageRoot(join(this.#root, "ocfl"));
  }

  async put(path: string, _bytes: number, content: AsyncIterable<Uint8Array>): Promise<void> {
    const file = this.#fileOf(path);
    try {
      await makeFolder(dirname(file));
      const handle = await open(`${file}.tmp`, "w");
      try {
        for await (const chunk of content) await handle.writeFile(chunk);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(`${file}.tmp`, file);
      await syncFolder(dirname(file));
    } catch (error) {
      await rm(`${file}.tmp`, { force: true }).catch(() => undefined);
      throw unwritable(error);
    }
  }

  async begin(object: string): Promise<void> {
    this.#object = object;
    await rm(this.#aside, { recursive: true, force: true });
    await makeFolder(this.#aside);
  }

  async publish(object: string): Promise<void> {
    const place = join(this.#root, object);
    await makeFolder(dirname(place));
    await rename(this.#aside, place);
    await syncFolder(dirname(place));
    this.#object = undefined;
  }

  async drop(): Promise<void> {
    await rm(this.#aside, { recursive: true, force: true });
    this.#object = undefined;
  }

  async close(): Promise<void> {
    await rm(this.#aside, { recursive: true, force: true });
  }

  #fileOf(path: string): string {
    const object = this.#object;
    const isOfObject = object !== undefined && path.startsWith(`${object}/`);
    return isOfObject ? join(this.#aside, path.slice(object.length + 1)) : join(this.#root, path);
  }
}
