import type { HashAnswer, HashRequest, ReadFile } from "./hash-worker.ts";

/** A file could not be read. */
export class UnreadableFile extends Error {}
/** The browser does not allow the worker, or WebAssembly in it. */
export class HashingUnsupported extends Error {}

/** More workers compete for the disk. */
const MOST = 4;

/** Hashes files in workers, as many at a time as there are workers. */
export class Hashers {
  /** Number of files that are hashed at the same time. */
  readonly atOnce = Math.max(1, Math.min(MOST, navigator.hardwareConcurrency || 2));
  readonly #idle: Worker[] = [];
  readonly #all = new Set<Worker>();
  readonly #waiting: (() => void)[] = [];
  #busy = 0;

  /**
   * The SHA-512 of a file in lower-case hex. Files beyond {@link atOnce} wait for others.
   *
   * @param onBytes called with the number of bytes that were hashed since the last call
   * @throws UnreadableFile; HashingUnsupported; the reason of the signal
   */
  async hash(file: File, onBytes: (bytes: number) => void, signal?: AbortSignal): Promise<string> {
    const answer = await this.#ask({ file }, onBytes, signal);
    if ("sha512" in answer) return answer.sha512;
    throw new UnreadableFile();
  }

  /**
   * The contents of small files with their digests. Undefined for those that cannot be read.
   * @throws HashingUnsupported; the reason of the signal
   */
  async read(small: readonly Blob[], signal: AbortSignal): Promise<readonly (ReadFile | undefined)[]> {
    const answer = await this.#ask({ small }, () => undefined, signal);
    return "small" in answer ? answer.small : [];
  }

  /** Ends all workers. Digests in progress never resolve. */
  close(): void {
    for (const worker of this.#all) this.#end(worker);
    this.#idle.length = 0;
  }

  /** The last answer of the next worker that is idle. @throws HashingUnsupported; the reason of the signal */
  async #ask(request: HashRequest, onBytes: (bytes: number) => void, signal?: AbortSignal): Promise<HashAnswer> {
    if (this.#busy === this.atOnce) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#busy += 1;
    try {
      signal?.throwIfAborted();
      return await this.#answer(this.#idle.pop() ?? this.#start(), request, onBytes, signal);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#busy -= 1;
      else next();
    }
  }

  async #answer(
    worker: Worker,
    request: HashRequest,
    onBytes: (bytes: number) => void,
    signal?: AbortSignal,
  ): Promise<HashAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<HashAnswer>();
    const stop = () => {
      this.#end(worker);
      reject(signal?.reason);
    };
    worker.onmessage = ({ data }: MessageEvent<HashAnswer>) => {
      if ("bytes" in data) return onBytes(data.bytes);
      this.#idle.push(worker);
      if ("failed" in data && data.failed === "unsupported") reject(new HashingUnsupported());
      else resolve(data);
    };
    worker.onerror = () => {
      this.#end(worker);
      reject(new HashingUnsupported());
    };
    signal?.addEventListener("abort", stop);
    worker.postMessage(request);
    return promise.finally(() => signal?.removeEventListener("abort", stop));
  }

  #start(): Worker {
    const worker = new Worker(new URL("./hash-worker.ts", import.meta.url), { type: "module" });
    this.#all.add(worker);
    return worker;
  }

  #end(worker: Worker): void {
    worker.terminate();
    this.#all.delete(worker);
  }
}
