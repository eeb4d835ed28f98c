import { randomUUID } from "node:crypto";
import { open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { exists, makeFolder, syncFolder, unwritable } from "../folder/durable-writes.ts";
import { makeStorageRoot } from "../layout.ts";
import { type ArchiveReader, FolderReader } from "../reader.ts";
import { COPY_LOCK, CopyLock, type LockFile } from "./copy-lock.ts";

/** The target of a copy. Paths are relative to the archive. */
export interface CopyTarget extends ArchiveReader {
  /**
   * Creates the archive unless it exists, and locks it for this run. @throws Error that states why it cannot be the
   * target
   */
  prepare(): Promise<void>;
  /** Writes a file durably: completely, or not at all if the content fails. */
  put(path: string, bytes: number, content: AsyncIterable<Uint8Array>): Promise<void>;
  /**
   * Begins a dataset and removes what an earlier run has left of it.
   * @throws Error if the dataset is visible; nothing is removed then
   */
  begin(object: string): Promise<void>;
  /** Completes a dataset whose files are all written, its root inventory last. It is visible from then on. */
  publish(object: string): Promise<void>;
  /** Removes the files of a dataset that is not visible. Removes nothing of a visible one. */
  drop(object: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Folders in which runs assemble a dataset (earlier releases used no id), and locks that were not written completely.
 */
const ASIDE = /^copy(-[0-9a-f-]{36}|\.lock-[0-9a-f-]{36})?$/;

/** An archive in a folder. A dataset is assembled beside the storage root and becomes visible by one rename. */
export class FolderTarget extends FolderReader implements CopyTarget {
  readonly #root: string;
  readonly #aside: string;
  readonly #renewMs: number | undefined;
  #lock: CopyLock | undefined;
  #object: string | undefined;

  /** @param renewMs see copy-lock.ts */
  constructor(root: string, renewMs?: number) {
    super(root);
    this.#root = root;
    this.#aside = join(root, "staging", `copy-${randomUUID()}`);
    this.#renewMs = renewMs;
  }

  async prepare(): Promise<void> {
    await makeFolder(join(this.#root, "staging"));
    this.#lock = await CopyLock.take(lockIn(this.#root), this.#renewMs);
    await makeStorageRoot(join(this.#root, "ocfl"));
    // No other run has the lock, so these are folders of runs that have stopped.
    for (const name of await readdir(join(this.#root, "staging"))) {
      if (ASIDE.test(name)) await rm(join(this.#root, "staging", name), { recursive: true, force: true });
    }
  }

  async put(path: string, _bytes: number, content: AsyncIterable<Uint8Array>): Promise<void> {
    await this.#held();
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
    await this.#held();
    if (await exists(join(this.#root, object)))
      throw new Error(`${object} was added to the target by another process during the copy`);
    this.#object = object;
    await rm(this.#aside, { recursive: true, force: true });
    await makeFolder(this.#aside);
  }

  async publish(object: string): Promise<void> {
    const place = join(this.#root, object);
    await makeFolder(dirname(place));
    await this.#held();
    // Fails if the dataset exists: rename(2) never replaces a folder that is not empty.
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
    await this.#lock?.release();
  }

  async #held(): Promise<void> {
    if (this.#lock === undefined) throw new Error("The target was not prepared");
    await this.#lock.lease.held();
  }

  #fileOf(path: string): string {
    const object = this.#object;
    const isOfObject = object !== undefined && path.startsWith(`${object}/`);
    return isOfObject ? join(this.#aside, path.slice(object.length + 1)) : join(this.#root, path);
  }
}

function lockIn(root: string): LockFile {
  const file = join(root, COPY_LOCK);
  const own = `${file}-${randomUUID()}`;
  return {
    read: () =>
      readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return undefined;
        throw error;
      }),
    async write(text) {
      await writeFile(own, text);
      await rename(own, file);
    },
    remove: () => rm(file, { force: true }),
  };
}
