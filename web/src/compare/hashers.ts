import type { HashAnswer, HashRequest } from "./hash-worker.ts";

/** A file could not be read. */
export class UnreadableFile extends Error {}
/** The browser does not allow the worker, or WebAssembly in it. */
export class HashingUnsupported extends Error {}

/** More workers compete for the disk. */
const MOST = 4;

/** Hashes files in workers, as many at a time as there are workers. */
export class Hashers {
  /** Number of files that can be hashed at the same time. */
  readonly atOnce = Math.max(1, Math.min(MOST, navigator.hardwareConcurrency || 2));
  readonly #idle: Worker[] = [];
  readonly #all: Worker[] = [];

  /**
   * The SHA-512 of a file in lower-case hex. Callers must not have more than {@link atOnce} files in progress.
   *
   * @param onBytes called with the number of bytes that were hashed since the last call
   * @throws UnreadableFile; HashingUnsupported
   */
  async hash(file: File, onBytes: (bytes: number) => void): Promise<string> {
    const worker = this.#idle.pop() ?? this.#start();
    const digest = await new Promise<string>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<HashAnswer>) => {
        if ("bytes" in data) onBytes(data.bytes);
        else if ("sha512" in data) resolve(data.sha512);
        else reject(data.failed === "unreadable" ? new UnreadableFile() : new HashingUnsupported());
      };
      worker.onerror = () => reject(new HashingUnsupported());
      worker.postMessage({ file } satisfies HashRequest);
    }).finally(() => this.#idle.push(worker));
    return digest;
  }

  /** Ends all workers. Digests in progress never resolve. */
  close(): void {
    for (const worker of this.#all.splice(0)) worker.terminate();
    this.#idle.length = 0;
  }

  #start(): Worker {
    const worker = new Worker(new URL("./hash-worker.ts", import.meta.url), { type: "module" });
    this.#all.push(worker);
    return worker;
  }
}
