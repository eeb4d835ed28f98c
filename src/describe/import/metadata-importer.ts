import { Problem } from "../../domain/problems.ts";
import { TaskThread, TaskTooLarge } from "../../platform/threads/task-thread.ts";
import { siblingModule } from "../../platform/threads/worker-thread.ts";
import { type FileKind, kindTitle } from "./file-kinds.ts";
import type { Imported } from "./imported.ts";

/** A file for the thread. */
export interface ImportTask {
  kind: FileKind;
  bytes: Uint8Array;
}

/** The values, or the message of the Problem `metadata_file_invalid`. */
export type ImportResult = { imported: Imported } | { refusal: string };

/** Time limit for parsing one file. Files within the size limit take less than a second. */
const PARSE_TIMEOUT_MS = 10_000;
const HEAP_MIB = 2_048;

/** A file to parse. */
export interface FileToRead extends ImportTask {
  /** The caller, for the fair order of the files. */
  owner: string;
}

/** Parses metadata files in a worker thread by the rules of `TaskThread`. */
export class MetadataImporter {
  readonly #thread: TaskThread<ImportTask, ImportResult>;

  constructor(limitMs = PARSE_TIMEOUT_MS) {
    const module = siblingModule(import.meta.url, "import-thread");
    this.#thread = new TaskThread(module, { name: "import", limitMs, heapMiB: HEAP_MIB });
  }

  /**
   * Parses a file as `readMetadataFile` does. When the signal is aborted, the caller no longer waits, and a file that is not
   * yet being parsed is skipped.
   * @throws Problem `metadata_file_invalid`; the signal's reason
   */
  async read({ kind, bytes, owner }: FileToRead, signal: AbortSignal): Promise<Imported> {
    const result = await this.#thread.run({ kind, bytes }, owner, signal).catch((cause: unknown) => {
      if (!(cause instanceof TaskTooLarge)) throw cause;
      throw new Problem("metadata_file_invalid", `The ${kindTitle(kind)} takes too long to read.`, { cause });
    });
    if ("imported" in result) return result.imported;
    throw new Problem("metadata_file_invalid", result.refusal);
  }

  /** Resolves when the thread has loaded its code, or cannot: then the next file says why. */
  async ready(): Promise<void> {
    await this.#thread.ready({ kind: "readme", bytes: new Uint8Array() });
  }

  async close(): Promise<void> {
    await this.#thread.close();
  }
}
