import { type ChildProcessByStdio, spawn } from "node:child_process";
import { statfs } from "node:fs/promises";
import { release } from "node:os";
import { dirname, join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { forEachConcurrently } from "../for-each-concurrently.ts";
import { syncFile, syncFolder } from "./durable-writes.ts";

/** Syncs the file system of a folder for every line that it reads, and reports the result. */
const SCRIPT = 'while read -r _; do if sync --file-system "$0"; then echo y; else echo n; fi; done';

type Child = ChildProcessByStdio<Writable, Readable, null>;

/** A shell and the callers that wait for its answers, in order. */
interface Shell {
  child: Child;
  waiting: ((done: boolean) => void)[];
}

/**
 * Syncs the whole file system that contains a folder. Node has no syncfs(2), but every Linux distribution has a program
 * `sync` that calls it. A small permanent shell starts it: a fork of this large process would stop the thread that
 * serves requests for milliseconds each time.
 */
class FileSystemSync {
  readonly #folder: string;
  #shell: Shell | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns false if the sync failed for any reason. Syncing each file then succeeds or reports the reason. */
  sync(): Promise<boolean> {
    return new Promise((resolve) => {
      try {
        this.#shell ??= this.#start();
        this.#shell.waiting.push(resolve);
        this.#shell.child.stdin.write("\n");
      } catch {
        // No process could be started, for instance for lack of file descriptors.
        resolve(false);
      }
    });
  }

  /** Starts the shell. It ends when this process does, because its input ends then. */
  #start(): Shell {
    const child = spawn("sh", ["-c", SCRIPT, this.#folder], {
      stdio: ["pipe", "pipe", "ignore"],
      env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
    });
    // The state belongs to this shell only: a late answer must not be taken for one of the next shell.
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
 * Local file systems whose syncfs(2) writes everything back, waits for it, and reports failures: ext2–4, XFS, Btrfs,
 * F2FS, ZFS. Overlay file systems do not report them. On tmpfs there is nothing to write back.
 */
const WHOLE_SYNC = new Set([0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0x2fc12fc1, 0x01021994]);
/** For fewer files, syncing each one is as fast. */
const FEW = 8;

/** Concurrent calls hide the latency of network file systems. Half of the threads of libuv's pool remain for other calls. */
const CONCURRENT_SYNCS = 2;

interface Caller {
  folder: string;
  /** Relative to the folder. */
  files: readonly string[];
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** Makes files of a tree durable, for several callers together. */
export class SyncGroup {
  readonly #root: string;
  readonly #fileSystem: FileSystemSync;
  #canSyncWhole: boolean | undefined;
  #waiting: Caller[] = [];
  #running: Promise<void> | undefined;

  /** @param root a folder that exists durably */
  constructor(root: string) {
    this.#root = root;
    this.#fileSystem = new FileSystemSync(root);
  }

  /**
   * Makes files below a folder durable: contents, names, and the names of their parent folders. Callers that arrive
   * while another sync runs share the next one. Each caller receives the result for its files.
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
   * The system reports a failed write once for the whole file system, and it may concern files of an earlier batch.
   * After a failure each file is synced separately, which still reports its failures.
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
    }
    await forEachConcurrently(files, CONCURRENT_SYNCS, syncFile);
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
    // Syncing each file will report the reason.
    return false;
  }
}
