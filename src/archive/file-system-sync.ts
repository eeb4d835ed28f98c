import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";

/** For every line that it reads it syncs the file system of a folder and says how that went. */
const SCRIPT = 'while read -r _; do if sync --file-system "$0"; then echo y; else echo n; fi; done';

type Shell = ChildProcessByStdio<Writable, Readable, null>;

/**
 * Syncs the whole file system that a folder lies on. Node offers no syncfs(2), but every Linux distribution has a
 * program `sync` that does. It is started by a small shell that stays: starting it from this process, with all its
 * memory, would stop the thread that answers requests for milliseconds each time.
 */
export class FileSystemSync {
  readonly #folder: string;
  #shell: Shell | undefined;
  #answers: ((done: boolean) => void)[] = [];

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** False when it could not be done, for whatever reason: syncing file by file then tells why, or helps. */
  sync(): Promise<boolean> {
    return new Promise((resolve) => {
      this.#answers.push(resolve);
      this.#shell ??= this.#start();
      this.#shell.stdin.write("\n");
    });
  }

  /** It ends by itself when this process does, whatever the way: its input is then at its end. */
  #start(): Shell {
    const shell = spawn("sh", ["-c", SCRIPT, this.#folder], {
      stdio: ["pipe", "pipe", "ignore"],
      env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
    });
    const gone = () => {
      if (this.#shell === shell) this.#shell = undefined;
      for (const answer of this.#answers.splice(0)) answer(false);
    };
    shell.once("error", gone).once("exit", gone);
    shell.stdin.on("error", gone);
    shell.stdout.setEncoding("latin1").on("data", (text: string) => {
      for (const line of text.split("\n")) if (line !== "") this.#answers.shift()?.(line === "y");
    });
    for (const handle of [shell, shell.stdin, shell.stdout]) (handle as { unref?: () => void }).unref?.();
    return shell;
  }
}
