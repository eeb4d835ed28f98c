import { open, statfs } from "node:fs/promises";
import { release } from "node:os";
import { dirname } from "node:path";
import { syncFolder } from "./durable.ts";
import { FileSystemSync } from "./file-system-sync.ts";

/** Local file systems whose syncfs(2) writes everything back and waits: ext2–4, XFS, Btrfs, F2FS, ZFS, overlay. */
const WHOLE_SYNC = new Set([0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0x2fc12fc1, 0x794c7630]);
/** Below so many files, syncing each is as quick. */
const FEW = 8;

/** The files of a tree that are to become durable together. */
export class SyncGroup {
  readonly #root: string;
  readonly #fileSystem: FileSystemSync;
  #canSyncWhole: Promise<boolean> | undefined;
  #next: { promise: Promise<void>; files: string[] } | undefined;
  #running: Promise<void> = Promise.resolve();

  /** @param root a folder that is there, durably */
  constructor(root: string) {
    this.#root = root;
    this.#fileSystem = new FileSystemSync(root);
  }

  /**
   * Makes files durable: contents, names, and the names of the folders above them. Callers that come while another
   * sync runs share the next one.
   */
  sync(files: readonly string[]): Promise<void> {
    if (files.length === 0) return Promise.resolve();
    if (this.#next === undefined) {
      const next: { promise: Promise<void>; files: string[] } = { promise: Promise.resolve(), files: [] };
      next.promise = this.#running.then(() => {
        this.#next = undefined;
        return this.#sync(next.files);
      });
      this.#next = next;
      this.#running = next.promise.catch(() => undefined);
    }
    this.#next.files.push(...files);
    return this.#next.promise;
  }

  async #sync(files: string[]): Promise<void> {
    this.#canSyncWhole ??= canSyncWhole(this.#root);
    if (files.length > FEW && (await this.#canSyncWhole) && (await this.#fileSystem.sync())) return;
    const folders = new Set<string>();
    for (const file of files) {
      for (let at = dirname(file); at.length >= this.#root.length; at = dirname(at)) {
        if (folders.has(at)) break;
        folders.add(at);
      }
      await syncFile(file);
    }
    for (const folder of folders) await syncFolder(folder);
  }
}

/** Since Linux 5.8 syncfs(2) reports what could not be written. */
async function canSyncWhole(folder: string): Promise<boolean> {
  const [major = 0, minor = 0] = release().split(".").map(Number);
  if (process.platform !== "linux" || major < 5 || (major === 5 && minor < 8)) return false;
  return WHOLE_SYNC.has((await statfs(folder)).type);
}

async function syncFile(file: string): Promise<void> {
  const handle = await open(file, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
