import { count, duration, several, size } from "./numbers.ts";
import type { Output } from "./output.ts";
import { show } from "./text.ts";

/** Milliseconds between two updates. */
const UPDATE_MS = 200;
/** Milliseconds after which the rate and the time left are meaningful. */
const RATE_AFTER_MS = 5_000;

/** The progress line of work on files: files and bytes so far, rate and time left. */
export class FilesProgress {
  readonly #output: Output;
  readonly #work: string;
  readonly #all: { files: number; bytes: number };
  /** The last moment before the first byte that was not done before. */
  #start = performance.now();
  readonly #had: { files: number; bytes: number };
  #shownAt = 0;
  #files = 0;
  #bytes = 0;
  #checked = 0;

  /**
   * @param work the word before the numbers
   * @param all the files of which some are done, and their bytes
   * @param had of these, what was done before. It is added again while it is checked
   */
  constructor(
    output: Output,
    work: string,
    all: { files: number; bytes: number },
    had: { files: number; bytes: number } = { files: 0, bytes: 0 },
  ) {
    this.#output = output;
    this.#work = work;
    this.#all = all;
    this.#had = had;
  }

  addFile(): void {
    this.#files += 1;
    this.#show();
  }

  /** @param bytes negative if bytes have to be sent again @param checked how many of them were done before */
  addBytes(bytes: number, checked = 0): void {
    this.#bytes += bytes;
    this.#checked += checked;
    if (this.#bytes === this.#checked) this.#start = performance.now();
    this.#show();
  }

  #show(): void {
    const now = performance.now();
    if (now - this.#shownAt < UPDATE_MS) return;
    this.#shownAt = now;
    const { files, bytes } = this.#all;
    const doneFiles = Math.min(files, Math.max(this.#files, this.#had.files));
    const done = Math.min(bytes, this.#had.bytes + this.#bytes - this.#checked);
    const seconds = (now - this.#start) / 1_000;
    const rate = seconds * 1_000 < RATE_AFTER_MS ? 0 : (done - this.#had.bytes) / seconds;
    // It can take minutes until the bytes that had arrived are read again.
    const checked =
      this.#checked < this.#had.bytes ? `  checked ${size(this.#checked)} of ${size(this.#had.bytes)}` : "";
    const speed = rate > 0 ? `  ${size(rate)}/s  ${duration((bytes - done) / rate)} left` : "";
    this.#output.live(
      show`${this.#work}: ${several(doneFiles, "file")} of ${count(files)}  ${size(done)} of ${size(bytes)}${checked}${speed}`,
    );
  }
}
