import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";

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
export class FileSystemSync {
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
