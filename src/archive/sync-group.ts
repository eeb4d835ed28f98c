import { statfs } from "node:fs/promises";
import { release } from "node:os";
import { dirname, join } from "node:path";
import { syncFile, syncFolder } from "./durable.ts";
import { FileSystemSync } from "./file-system-sync.ts";

/**
 * Local file systems whose syncfs(2) writes everything back, waits, and tells what could not be written: ext2–4, XFS,
 * Btrfs, F2FS, ZFS. (Overlays do not tell.)
 */
const WHOLE_SYNC = new Set([0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0x2fc12fc1]);
/** Below so many files, syncing each is as quick. */
const FEW = 8;

interface Caller {
  folder: string;
  /** Paths below the folder. */
  files: readonly string[];
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** Makes files of a tree durable, those of several callers together. */
export class SyncGroup {
  readonly #root: string;
  readonly #fileSystem: FileSystemSync;
  #canSyncWhole: boolean | undefined;
  #waiting: Caller[] = [];
  #running: Promise<void> | undefined;

  /** @param root a folder that is there, durably */
  constructor(root: string) {
    this.#root = root;
    this.#fileSystem = new FileSystemSync(root);
  }

  /**
   * Makes files below a folder durable: contents, names, and the names of the folders above them. Callers that come
   * while another sync runs share the next one; each is told of its own files.
   */
  sync(folder: string, files: readonly string[]): Promise<void> {
    if (files.length === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ folder, files, resolve, reject });
      this.#running ??= this.#syncAll().finally(() => {
        this.#running = undefined;
      });
    });
  }

  async #syncAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const callers = this.#waiting.splice(0);
      const files = callers.reduce((sum, caller) => sum + caller.files.length, 0);
      const done = files > FEW && (await this.#syncWhole());
      for (const { folder, files, resolve, reject } of callers) {
        if (done) resolve();
        else await this.#syncEach(files.map((file) => join(folder, file))).then(resolve, reject);
      }
    }
  }

  /**
   * The system tells of a failed write once for the whole file system. It may concern files that were not in this
   * batch: from then on every file is synced by itself, which still tells of its own failure.
   */
  async #syncWhole(): Promise<boolean> {
    this.#canSyncWhole ??= await canSyncWhole(this.#root);
    if (this.#canSyncWhole) this.#canSyncWhole = await this.#fileSystem.sync();
    return this.#canSyncWhole;
  }

  async #syncEach(files: readonly string[]): Promise<void> {
    const folders = new Set<string>();
    for (const file of files) {
      for (let at = dirname(file); at.length >= this.#root.length && !folders.has(at); at = dirname(at))
        folders.add(at);
      await syncFile(file);
    }
    for (const folder of folders) await syncFolder(folder);
  }
}

/** Since Linux 5.17 syncfs(2) reports everything that could not be written. */
async function canSyncWhole(folder: string): Promise<boolean> {
  const [major = 0, minor = 0] = release().split(".").map(Number);
  if (process.platform !== "linux" || major < 5 || (major === 5 && minor < 17)) return false;
  try {
    return WHOLE_SYNC.has((await statfs(folder)).type);
  } catch {
    // Syncing the files will say what the matter is.
    return false;
  }
}
