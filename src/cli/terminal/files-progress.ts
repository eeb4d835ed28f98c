import { count, duration, several, size } from "./numbers.ts";
import type { Output } from "./output.ts";
import { show } from "./text.ts";

/** Milliseconds between two updates. */
const UPDATE_MS = 200;

/** The progress line of work on files: files and bytes so far, rate and time left. */
export class FilesProgress {
  readonly #output: Output;
  readonly #work: string;
  readonly #all: { files: number; bytes: number };
  readonly #start = performance.now();
  #shownAt = 0;
  #files = 0;
  #bytes = 0;

  /** @param work the word before the numbers @param all the files of which some are done, and their bytes */
  constructor(output: Output, work: string, all: { files: number; bytes: number }) {
    this.#output = output;
    this.#work = work;
    this.#all = all;
  }

  addFile(): void {
    this.#files += 1;
    this.#show();
  }

  /** @param bytes negative if bytes have to be sent again */
  addBytes(bytes: number): void {
    this.#bytes += bytes;
    this.#show();
  }

  #show(): void {
    const now = performance.now();
    if (now - this.#shownAt < UPDATE_MS) return;
    this.#shownAt = now;
    const { files, bytes } = this.#all;
    const rate = this.#bytes / Math.max(0.001, (now - this.#start) / 1_000);
    const left = rate > 0 && this.#bytes < bytes ? `  ${duration((bytes - this.#bytes) / rate)} left` : "";
    this.#output.live(
      show`${this.#work}: ${several(this.#files, "file")} of ${count(files)}  ${size(this.#bytes)} of ${size(bytes)}  ${size(rate)}/s${left}`,
    );
  }
}
