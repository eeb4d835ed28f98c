import { type ChildProcessByStdio, spawn } from "node:child_process";
import { statfs } from "node:fs/promises";
import { release } from "node:os";
import { dirname, join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { syncFile, syncFolder } from "./durable-writes.ts";

/** For every line that it reads it syncs the file system of a folder and says how that went. */
const SCRIPT = 'while read -r _; do if sync --file-system "$0"; then echo y; else echo n; fi; done';

type Child = ChildProcessByStdio<Writable, Readable, null>;

/** A shell with those who wait for its answers, in the order of asking. */
interface Shell {
  child: Child;
  waiting: ((done: boolean) => void)[];
}

/**
 * Syncs the whole file system that a folder lies on. Node offers no syncfs(2), but every Linux distribution has a
 * program `sync` that does. It is started by a small shell that stays: starting it from this process, with all its
 * memory, would stop the thread that answers requests for milliseconds each time.
 */
class FileSystemSync {
  readonly #folder: string;
  #shell: Shell | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** False when it could not be done, for whatever reason: syncing file by file then tells why, or helps. */
  sync(): Promise<boolean> {
    return new Promise((resolve) => {
      try {
        this.#shell ??= this.#start();
        this.#shell.waiting.push(resolve);
        this.#shell.child.stdin.write("\n");
      } catch {
        // No process can be started, for want of descriptors perhaps.
        resolve(false);
      }
    });
  }

  /** It ends by itself when this process does, whatever the way: its input is then at its end. */
  #start(): Shell {
    const child = spawn("sh", ["-c", SCRIPT, this.#folder], {
      stdio: ["pipe", "pipe", "ignore"],
      env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
    });
    // Of this shell alone: an answer that comes late must never pass for that of the shell after it.
    const shell: Shell = { child, waiting: [] };
    const gone = () => {
      if (this.#shell === shell) this.#shell = undefined;
      for (const answer of shell.waiting.splice(0)) answer(false);
    };
    child.once("error", gone).once("exit", gone);
    child.stdin.on("error", gone);
    child.stdout.setEncoding("latin1").on("data", (text: string) => {
      for (const line of text.split("\n")) if (line !== "") shell.waiting.shift()?.(line === "y");
    });
    for (const handle of [child, child.stdin, child.stdout]) (handle as { unref?: () => void }).unref?.();
    return shell;
  }
}

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
