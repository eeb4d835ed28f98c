import { ProblemError } from "@accession/client";
import type { Upload } from "../../api/uploads.ts";
import { Hashers } from "../../compare/hashers.ts";
import { bringFile, isOfFile, isTakenPath } from "./bring-file.ts";
import type { Entry, FileTable } from "./file-table.ts";
import type { Pace } from "./pace.ts";

/** Requests at the same time. Browsers open six connections to a server, and the form needs some of them. */
const AT_ONCE = 4;

/** The work at a file. */
interface Task {
  readonly stop: AbortController;
  /** Resolves when the file was sent or has failed. */
  done: Promise<void>;
}

interface Parts {
  files: FileTable;
  pace: Pace;
  /** The upload, while files can be sent. */
  upload: () => Upload | undefined;
  /** Called before something is sent. */
  onSend: () => void;
  onChange: () => void;
  /** Called with an error that is not about one file. */
  onError: (error: Error) => void;
  /** Called when the service does not know a file, and perhaps not the upload. */
  onDoubt: () => Promise<void>;
}

/** Sends the waiting files of a table, some at the same time. */
export class Sending {
  readonly #parts: Parts;
  readonly #tasks = new Map<Entry, Task>();
  #hashers: Hashers | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Begins with waiting files, if files can be sent. */
  start(): void {
    const upload = this.#parts.upload();
    if (upload === undefined) return;
    const { files } = this.#parts;
    const waiting = files.in("waiting").values();
    while (this.#tasks.size < AT_ONCE) {
      const { value: entry } = waiting.next();
      if (entry === undefined) return;
      const task: Task = { stop: new AbortController(), done: Promise.resolve() };
      files.move(entry, entry.sha512 === undefined ? "reading" : "sending");
      this.#tasks.set(entry, task);
      task.done = this.#run(entry, upload, task.stop.signal);
    }
  }

  /** Ends the work at a file. */
  stop(entry: Entry): void {
    const task = this.#tasks.get(entry);
    this.#tasks.delete(entry);
    task?.stop.abort();
  }

  /** Ends the work at all files, which wait again. */
  stopAll(): void {
    for (const entry of [...this.#tasks.keys()]) {
      this.stop(entry);
      this.#parts.files.move(entry, "waiting");
    }
  }

  /** Resolves when the work at a file has ended. */
  async untilDone(entry: Entry): Promise<void> {
    await this.#tasks.get(entry)?.done;
  }

  /** Ends all work, and the workers. */
  close(): void {
    this.stopAll();
    this.#hashers?.close();
    this.#hashers = undefined;
  }

  async #run(entry: Entry, upload: Upload, signal: AbortSignal): Promise<void> {
    const { files, pace, onChange, onSend } = this.#parts;
    try {
      this.#hashers ??= new Hashers();
      onSend();
      await bringFile(entry, { files, hashers: this.#hashers, pace, endpoint: upload.files, onChange, signal });
      signal.throwIfAborted();
      files.move(entry, "done");
    } catch (error) {
      // Otherwise, another work at the file may have begun.
      if (!signal.aborted) await this.#judge(entry, error as Error);
    } finally {
      onSend();
      if (!signal.aborted) this.#tasks.delete(entry);
      this.start();
      onChange();
    }
  }

  /** Decides whether an error is about one file or about the upload. */
  async #judge(entry: Entry, error: Error): Promise<void> {
    const { files, onError, onDoubt } = this.#parts;
    if (isTakenPath(entry, error)) return files.move(entry, "waiting");
    if (isOfFile(error)) return files.move(entry, "failed", error);
    files.move(entry, "waiting");
    if (!(error instanceof ProblemError && error.problem.code === "not_found")) return onError(error);
    // Another program has removed this file, or the upload.
    entry.known = undefined;
    files.arrive(entry, 0);
    await onDoubt();
  }
}
