import { Problem } from "../domain/problems.ts";
import { siblingModule, WorkerThread } from "../threads/worker-thread.ts";
import { type FileKind, fileKindNames } from "./file-kinds.ts";
import type { Imported } from "./imported.ts";
import type { ImportMessages } from "./messages.ts";

/** Time limit for parsing one file. Files within the size limit take less than a second. */
const PARSE_TIMEOUT_MS = 10_000;

/**
 * Parses metadata files in a worker thread, one at a time. The thread starts with the first file. A thread that exceeds the
 * time limit is ended.
 */
export class MetadataImporter {
  readonly #thread = new WorkerThread<ImportMessages>(siblingModule(import.meta.url, "import-thread"), {
    name: "import",
    unref: true,
  });
  readonly #limitMs: number;
  /** Settles when the files before have been parsed. */
  #before: Promise<unknown> = Promise.resolve();

  constructor(limitMs = PARSE_TIMEOUT_MS) {
    this.#limitMs = limitMs;
  }

  /**
   * Parses a file as `readMetadataFile` does. A file whose signal is aborted while it waits is not parsed.
   * @throws Problem `metadata_file_invalid`; the signal's reason
   */
  read(kind: FileKind, bytes: Uint8Array, signal: AbortSignal): Promise<Imported> {
    const reading = this.#before.then(() => {
      signal.throwIfAborted();
      return this.#parse(kind, bytes);
    });
    this.#before = reading.catch(() => undefined);
    return reading;
  }

  async close(): Promise<void> {
    await this.#thread.terminate();
  }

  async #parse(kind: FileKind, bytes: Uint8Array): Promise<Imported> {
    let isLate = false;
    const late = setTimeout(() => {
      isLate = true;
      void this.#thread.terminate();
    }, this.#limitMs);
    try {
      const result = await this.#thread.call({ kind, bytes }).result;
      if ("imported" in result) return result.imported;
      throw new Problem("metadata_file_invalid", result.refusal);
    } catch (error) {
      if (!isLate) throw error;
      throw new Problem("metadata_file_invalid", `The ${fileKindNames[kind]} takes too long to read.`, {
        cause: error,
      });
    } finally {
      clearTimeout(late);
    }
  }
}
