import { ProblemError, UnexpectedAnswerError } from "@accession/client";
import { BATCH_BYTES, BATCH_FILES, fitsBatch } from "../../../../../packages/rules/src/index.ts";
import type { Upload } from "../../../api/uploads.ts";
import { Hashers } from "../../../compare/hashers.ts";
import { bringBatch } from "./bring-batch.ts";
import { bringFile, isOfFile, isTakenPath } from "./bring-file.ts";
import type { Entry, FileTable } from "./file-table.ts";
import type { Pace } from "./pace.ts";

/** Requests at the same time. Browsers open six connections to a server, and the form needs some of them. */
const AT_ONCE = 4;
const TOO_LARGE = 413;

/** The work at a file, or at small files that are sent together. */
interface Task {
  readonly upload: Upload;
  /** Those that were not sent yet, and are still wanted. */
  readonly entries: Set<Entry>;
  readonly stop: AbortController;
  /** Resolves when the files were sent or have failed. */
  done: Promise<void>;
}

interface Parts {
  files: FileTable;
  pace: Pace;
  /** The upload, while files can be sent. */
  upload: () => Upload | undefined;
  /** Called before something is sent, and afterwards. */
  onSend: () => void;
  onChange: () => void;
  /** Called with an error that is not about one file. */
  onError: (error: Error) => void;
  /** Called when the service does not know a file, and perhaps not the upload. */
  onDoubt: () => Promise<void>;
}

/** Sends the waiting files of a table, with some requests at the same time. */
export class Sending {
  readonly #parts: Parts;
  readonly #tasks = new Map<Entry, Task>();
  #hashers: Hashers | undefined;
  #running = 0;
  /** False after a server in front of the service has refused a batch for its size. */
  #mayBatch = true;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Begins with waiting files, if files can be sent. */
  start(): void {
    const upload = this.#parts.upload();
    if (upload === undefined) return;
    while (this.#running < AT_ONCE) {
      const entries = this.#next();
      if (entries.size === 0) return;
      const task: Task = { upload, entries, stop: new AbortController(), done: Promise.resolve() };
      for (const entry of entries) {
        const isRead = entries.size === 1 && entry.sha512 !== undefined;
        this.#parts.files.move(entry, isRead ? "sending" : "reading");
        this.#tasks.set(entry, task);
      }
      this.#running += 1;
      task.done = this.#run(task);
    }
  }

  /** Ends the work at a file. Others of its batch are sent. */
  stop(entry: Entry): void {
    const task = this.#tasks.get(entry);
    if (task !== undefined && this.#take(entry, task) && task.entries.size === 0) task.stop.abort();
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

  /** The next file, or small files that the upload does not have. */
  #next(): Set<Entry> {
    const next = new Set<Entry>();
    let bytes = 0;
    for (const entry of this.#parts.files.in("waiting")) {
      const fits = this.#mayBatch && entry.known === undefined && fitsBatch(entry);
      if (!fits && next.size === 0) return new Set([entry]);
      if (!fits) continue;
      if (next.size === BATCH_FILES || bytes + entry.bytes > BATCH_BYTES) break;
      next.add(entry);
      bytes += entry.bytes;
    }
    return next;
  }

  async #run(task: Task): Promise<void> {
    const { entries, stop, upload } = task;
    const { files, pace, onChange, onSend } = this.#parts;
    this.#hashers ??= new Hashers();
    const work = { files, pace, onChange, hashers: this.#hashers, signal: stop.signal };
    onSend();
    try {
      const [entry] = entries;
      if (entry !== undefined && entries.size === 1) {
        const failure = await failureOf(bringFile(entry, { ...work, endpoint: upload.files }));
        if (!stop.signal.aborted) await this.#end(entry, task, failure);
      } else {
        const ends: Promise<void>[] = [];
        const onEnd = (one: Entry, error?: Error) => void ends.push(this.#end(one, task, error));
        const failure = await failureOf(bringBatch({ ...work, address: upload.batch, entries, onEnd }));
        await Promise.all(ends);
        if (failure !== undefined && !stop.signal.aborted) await this.#endBatch(task, failure);
      }
    } finally {
      this.#running -= 1;
      onSend();
      this.start();
      onChange();
    }
  }

  /** Whether a file still belongs to this work, which ends. Otherwise, another work at the file may have begun. */
  #take(entry: Entry, task: Task): boolean {
    if (!task.entries.delete(entry)) return false;
    this.#tasks.delete(entry);
    return true;
  }

  /** Ends the work at a file. Decides whether an error is about it or about the upload. */
  async #end(entry: Entry, task: Task, error: Error | undefined): Promise<void> {
    const { files } = this.#parts;
    if (!this.#take(entry, task)) return;
    if (error === undefined) files.move(entry, "done");
    else if (isTakenPath(entry, error)) files.move(entry, "waiting");
    else if (isOfFile(error)) files.move(entry, "failed", error);
    else {
      files.move(entry, "waiting");
      if (isUnknown(error)) this.#forget(entry);
      await this.#report(error);
    }
  }

  /** Ends the work at the rest of a batch. */
  async #endBatch(task: Task, error: Error): Promise<void> {
    for (const entry of [...task.entries]) {
      this.#take(entry, task);
      this.#forget(entry);
      this.#parts.files.move(entry, "waiting");
    }
    if (error instanceof UnexpectedAnswerError && error.status === TOO_LARGE) this.#mayBatch = false;
    else await this.#report(error);
  }

  #forget(entry: Entry): void {
    entry.known = undefined;
    this.#parts.files.arrive(entry, 0);
  }

  async #report(error: Error): Promise<void> {
    // Another program has removed a file, or the upload.
    if (isUnknown(error)) await this.#parts.onDoubt();
    else this.#parts.onError(error);
  }
}

function isUnknown(error: Error): boolean {
  return error instanceof ProblemError && error.problem.code === "not_found";
}

async function failureOf(work: Promise<void>): Promise<Error | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return error as Error;
  }
}
