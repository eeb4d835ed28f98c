import { count, duration, several, size } from "../terminal/numbers.ts";
import type { Output } from "../terminal/output.ts";
import { show } from "../terminal/text.ts";
import type { LocalFile, LocalFiles } from "./local-files.ts";

/** Milliseconds between two updates. */
const UPDATE_MS = 200;

/** The progress line of an upload: files and bytes so far, rate and time left. */
export class SendProgress {
  readonly #output: Output;
  readonly #local: LocalFiles;
  readonly #start = performance.now();
  /** Bytes of the files that are being sent, by path. */
  readonly #open = new Map<string, number>();
  #shownAt = 0;
  #files = 0;
  #bytes = 0;

  constructor(output: Output, local: LocalFiles) {
    this.#output = output;
    this.#local = local;
  }

  update(path: string, bytes: number): void {
    this.#open.set(path, bytes);
    this.#show();
  }

  finish({ path, bytes }: LocalFile): void {
    this.#open.delete(path);
    this.#files += 1;
    this.#bytes += bytes;
    this.#show();
  }

  #show(): void {
    const now = performance.now();
    if (now - this.#shownAt < UPDATE_MS) return;
    this.#shownAt = now;
    const done = [...this.#open.values()].reduce((sum, bytes) => sum + bytes, this.#bytes);
    const rate = done / Math.max(0.001, (now - this.#start) / 1_000);
    const { files, bytes } = this.#local;
    const left = rate === 0 ? "" : `  ${duration((bytes - done) / rate)} left`;
    this.#output.live(
      show`Uploading: ${several(this.#files, "file")} of ${count(files.length)}  ${size(done)} of ${size(bytes)}  ${size(rate)}/s${left}`,
    );
  }
}
