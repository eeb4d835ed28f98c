import { availableParallelism } from "node:os";
import { orAborted } from "../../platform/threads/abort-callbacks.ts";
import { siblingModule, WorkerThread } from "../../platform/threads/worker-thread.ts";
import type { DigestResult, StatedDigests } from "./digests.ts";

/** A file with some of the bytes of an object. */
export interface FilePart {
  path: string;
  /** Position of its first byte in the object. It ends where the next part begins. */
  from: number;
}

export interface HashMessages {
  request: { parts: readonly FilePart[]; offers: StatedDigests };
  result: DigestResult;
  /** All bytes before a position are written, and whether they are all bytes of the file. */
  toCall: { written: number; isAll: boolean };
  fromCall: never;
  toThread: never;
  fromThread: never;
}

/** Computes the digests of a file while it is being written. */
export interface FileHash {
  /** @param position in bytes; all bytes before it are written */
  reached(position: number): void;
  /**
   * To be called after the last byte. May take long if an earlier try has left bytes to hash.
   * @param bytes the size, if it was {@link UNKNOWN}
   * @throws the signal's reason
   */
  verdict(signal: AbortSignal, bytes?: number): Promise<DigestResult>;
  /** Stops the computation. */
  stop(): void;
}

/** The size of a file that its sender has not stated. No digest of its parts can be computed. */
export const UNKNOWN = Number.POSITIVE_INFINITY;

const MOST_THREADS = 4;
/** The load that a file of unknown size counts for. */
const ASSUMED_BYTES = 1024 * 1024 * 1024;

interface HashThread {
  thread: WorkerThread<HashMessages>;
  /** Total size of its files (bytes). */
  load: number;
}

/**
 * Threads that hash large files while they are received. They read bytes that another thread has just written from the
 * page cache, so the digests are those of the stored bytes.
 */
export class FileHashers {
  readonly #threads: HashThread[] = [];

  /** @param parts the files with the bytes, in order; the last one is being written */
  follow(parts: readonly FilePart[], offers: StatedDigests): FileHash {
    const hashThread = this.#leastLoaded();
    const call = hashThread.thread.call({ parts, offers });
    let ended = false;
    const load = offers.bytes === UNKNOWN ? ASSUMED_BYTES : offers.bytes;
    const end = () => {
      if (!ended) hashThread.load -= load;
      ended = true;
    };
    hashThread.load += load;
    const verdict = call.result.finally(end);
    // Callers of `verdict` receive the error. A read that fails does not call it.
    verdict.catch(() => undefined);
    return {
      reached: (position) => call.send({ written: position, isAll: false }),
      verdict: (signal, bytes = offers.bytes) => {
        call.send({ written: bytes, isAll: true });
        return orAborted(verdict, signal);
      },
      stop: () => {
        end();
        call.cancel();
      },
    };
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.splice(0).map(({ thread }) => thread.terminate()));
  }

  #leastLoaded(): HashThread {
    const idle = this.#threads.find(({ load }) => load === 0);
    if (idle !== undefined) return idle;
    if (this.#threads.length < Math.min(MOST_THREADS, availableParallelism())) return this.#add();
    return this.#threads.reduce((least, one) => (one.load < least.load ? one : least));
  }

  #add(): HashThread {
    const thread = new WorkerThread<HashMessages>(siblingModule(import.meta.url, "file-hash-thread"), {
      name: "hashing",
      unref: true,
    });
    const added = { thread, load: 0 };
    this.#threads.push(added);
    return added;
  }
}
