import { Problem } from "../../domain/problems.ts";
import { siblingModule, WorkerThread } from "../../platform/threads/worker-thread.ts";
import { type FileKind, kindTitle } from "./file-kinds.ts";
import type { Imported } from "./imported.ts";

/** The messages between `MetadataImporter` and its thread. */
export interface ImportMessages {
  request: { kind: FileKind; bytes: Uint8Array };
  /** The values, or the message of the Problem `metadata_file_invalid`. */
  result: { imported: Imported } | { refusal: string };
  toCall: never;
  /** The thread has loaded its code, and parses now. */
  fromCall: "begun";
  toThread: never;
  fromThread: never;
}

/** Time limit for parsing one file, without the start of the thread. Files within the size limit take less than a second. */
const PARSE_TIMEOUT_MS = 10_000;

/** Time limit for the start of the thread, which a busy machine needs time for. */
const START_TIMEOUT_MS = 60_000;

/** A file to parse. */
export interface FileToRead {
  kind: FileKind;
  bytes: Uint8Array;
  /** The caller, for the fair order of the files. */
  owner: string;
}

interface WaitingFile {
  file: FileToRead;
  /** Undefined if the caller no longer waits. */
  begin: (() => void) | undefined;
}

/**
 * Parses metadata files in a worker thread, one at a time. The owners take turns, so that many files of one owner do not
 * delay those of another for longer than one file. The thread starts with the first file. A thread that exceeds the time
 * limit is ended.
 */
export class MetadataImporter {
  readonly #thread = new WorkerThread<ImportMessages>(siblingModule(import.meta.url, "import-thread"), {
    name: "import",
    unref: true,
  });
  readonly #limitMs: number;
  /** Waiting files by owner. The owner who is served next comes first. */
  readonly #waiting = new Map<string, WaitingFile[]>();
  #isBusy = false;

  constructor(limitMs = PARSE_TIMEOUT_MS) {
    this.#limitMs = limitMs;
  }

  /**
   * Parses a file as `readMetadataFile` does. When the signal is aborted, the caller no longer waits, and a file that is not
   * yet being parsed is skipped.
   * @throws Problem `metadata_file_invalid`; the signal's reason
   */
  async read(file: FileToRead, signal: AbortSignal): Promise<Imported> {
    signal.throwIfAborted();
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const waiting: WaitingFile = { file, begin: undefined };
    const abort = () => {
      waiting.begin = undefined;
      reject(signal.reason);
    };
    signal.addEventListener("abort", abort, { once: true });
    try {
      await Promise.race([this.#turn(waiting), aborted]);
      const parsing = this.#parse(file).finally(() => this.#next());
      // The thread continues with a file whose caller is gone; its result is then not used.
      parsing.catch(() => undefined);
      return await Promise.race([parsing, aborted]);
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }

  /** Resolves when the thread has loaded its code, or cannot: then the next file says why. */
  async ready(): Promise<void> {
    await this.#parse({ kind: "readme", bytes: new Uint8Array(), owner: "" }).catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.#thread.terminate();
  }

  #turn(waiting: WaitingFile): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.begin = resolve;
    const { owner } = waiting.file;
    this.#waiting.set(owner, [...(this.#waiting.get(owner) ?? []), waiting]);
    if (!this.#isBusy) this.#next();
    return promise;
  }

  /** Begins the next file of the owner who is served next. */
  #next(): void {
    this.#isBusy = false;
    for (const [owner, files] of this.#waiting) {
      this.#waiting.delete(owner);
      const waiting = files.filter(({ begin }) => begin !== undefined);
      const first = waiting.shift();
      if (first?.begin === undefined) continue;
      // Owners with further files are last in the order of the map.
      if (waiting.length > 0) this.#waiting.set(owner, waiting);
      this.#isBusy = true;
      first.begin();
      return;
    }
  }

  async #parse({ kind, bytes }: FileToRead): Promise<Imported> {
    let isLate = false;
    const endAfter = (milliseconds: number) =>
      setTimeout(() => {
        isLate = true;
        void this.#thread.terminate();
      }, milliseconds);
    let late = endAfter(START_TIMEOUT_MS);
    const begun = () => {
      clearTimeout(late);
      late = endAfter(this.#limitMs);
    };
    try {
      const result = await this.#thread.call({ kind, bytes }, begun).result;
      if ("imported" in result) return result.imported;
      throw new Problem("metadata_file_invalid", result.refusal);
    } catch (error) {
      if (!isLate) throw error;
      throw new Problem("metadata_file_invalid", `The ${kindTitle(kind)} takes too long to read.`, {
        cause: error,
      });
    } finally {
      clearTimeout(late);
    }
  }
}
