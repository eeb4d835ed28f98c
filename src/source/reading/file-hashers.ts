import { availableParallelism } from "node:os";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { orAborted } from "../transport/http-exchange.ts";
import type { Offers, Verdict } from "./digests.ts";

/** What the threads are told. Places are bytes from the first. */
export type ToHasher =
  | { id: number; what: "follow"; path: string; offers: Offers }
  | { id: number; what: "reached"; place: number }
  | { id: number; what: "end" }
  | { id: number; what: "stop" };

export type FromHasher = { id: number; verdict: Verdict } | { id: number; error: Error };

/** Computes the digests of a file while it is being written. */
export interface FileHash {
  /** Everything below this place is written. */
  reached(place: number): void;
  /** After the last byte. @throws the signal's reason; hashing what an earlier try has left may take long */
  verdict(signal: AbortSignal): Promise<Verdict>;
  /** Nobody wants to know any more. */
  stop(): void;
}

const MOST_THREADS = 4;

interface Thread {
  worker: Worker;
  /** Bytes that its files will have. */
  load: number;
}

/**
 * Threads that hash large files: they read what another thread has just written, from the memory of the operating
 * system, so that hashing and receiving go on at the same time and what is hashed is what was stored.
 */
export class FileHashers {
  readonly #threads: Thread[] = [];
  readonly #waiting = new Map<number, { resolve: (verdict: Verdict) => void; reject: (error: unknown) => void }>();
  #next = 0;

  follow(path: string, offers: Offers): FileHash {
    const thread = this.#leastLoaded();
    const id = this.#next++;
    const say = (message: ToHasher) => thread.worker.postMessage(message);
    let ended = false;
    const end = () => {
      if (!ended) thread.load -= offers.bytes;
      ended = true;
    };
    thread.load += offers.bytes;
    const verdict = new Promise<Verdict>((resolve, reject) => this.#waiting.set(id, { resolve, reject })).finally(end);
    // Told to whoever asks; a read that breaks off asks no more.
    verdict.catch(() => undefined);
    say({ id, what: "follow", path, offers });
    return {
      reached: (place) => say({ id, what: "reached", place }),
      verdict: (signal) => {
        say({ id, what: "end" });
        return orAborted(verdict, signal);
      },
      stop: () => {
        this.#waiting.delete(id);
        end();
        say({ id, what: "stop" });
      },
    };
  }

  async close(): Promise<void> {
    this.#fail(new Error("The hashing threads are closed"));
    await Promise.all(this.#threads.splice(0).map(({ worker }) => worker.terminate()));
  }

  #leastLoaded(): Thread {
    const idle = this.#threads.find(({ load }) => load === 0);
    if (idle !== undefined) return idle;
    if (this.#threads.length < Math.min(MOST_THREADS, availableParallelism())) return this.#start();
    return this.#threads.reduce((least, thread) => (thread.load < least.load ? thread : least));
  }

  #start(): Thread {
    const module = fileURLToPath(new URL(`./file-hash-thread${extname(import.meta.url)}`, import.meta.url));
    const thread: Thread = { worker: new Worker(module, { name: "hashing" }), load: 0 };
    thread.worker.unref();
    thread.worker.on("message", (message: FromHasher) => {
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if ("verdict" in message) waiting?.resolve(message.verdict);
      else waiting?.reject(message.error);
    });
    const died = (error: unknown) => {
      const index = this.#threads.indexOf(thread);
      if (index < 0) return;
      this.#threads.splice(index, 1);
      // Which files it followed is not told apart: all reads under way are tried again.
      this.#fail(error);
    };
    thread.worker.on("error", died);
    thread.worker.on("exit", () => died(new Error("A hashing thread has ended")));
    this.#threads.push(thread);
    return thread;
  }

  #fail(error: unknown): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
