import { ProblemError } from "@accession/client";
import { readUpload, readUploadFiles, type Upload } from "../../api/uploads.ts";
import type { Unusable } from "../../compare/chosen-files.ts";
import { Hashers } from "../../compare/hashers.ts";
import { bringFile, isOfFile, isTakenPath } from "./bring-file.ts";
import { type Entry, FileTable } from "./file-table.ts";
import { Pace } from "./pace.ts";
import { removeFile } from "./send-file.ts";
import type { Notes, Snapshot } from "./snapshot.ts";
import type { UploadStatus } from "./status.ts";

/** Files that are sent at the same time. Browsers open six connections to a server, and the form needs some of them. */
const AT_ONCE = 4;
/** How often at most a page is drawn again. */
const UPDATE_MS = 250;
/** The page answers the user in between. */
const LONGEST_TASK_MS = 40;
/**
 * Sends chosen files to an upload, and continues while the page shows something else. Each file is read for its SHA-512, compared with
 * what the upload has, and sent if necessary. Pages subscribe to snapshots, which change a few times a second.
 */
export class UploadSession {
  readonly id: string;
  readonly files = new FileTable();
  readonly #listeners = new Set<() => void>();
  readonly #active = new Map<Entry, { stop: AbortController; done: Promise<void> }>();
  readonly #closed = new AbortController();
  readonly #pace = new Pace();
  #hashers: Hashers | undefined;
  #upload: Upload | undefined;
  #isRunning = false;
  #error: Error | undefined;
  #isGone = false;
  /** Choices whose files are being added. */
  #adding = 0;
  #notes: Notes = { emptyFolders: [], unreadable: [], sameName: [], replaced: [] };
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #wholeFiles: number;
  /** Whether the upload, as it was opened, had all files that were once chosen for it. */
  #isWhole = false;
  #snapshot: Snapshot;

  /** @param wholeFiles the number of files of the upload when all had arrived on an earlier visit; 0 if that is not known */
  constructor(id: string, wholeFiles: number) {
    this.id = id;
    this.#wholeFiles = wholeFiles;
    this.#snapshot = this.#look();
    addEventListener("online", this.#onOnline, { signal: this.#closed.signal });
    void this.#open();
  }

  get snapshot(): Snapshot {
    return this.#snapshot;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Reads what the upload has. */
  async #open(): Promise<void> {
    const { signal } = this.#closed;
    try {
      const upload = await readUpload(this.id, signal);
      const files = upload.submission === null ? await readUploadFiles(this.id, signal) : [];
      this.#upload = upload;
      this.#isGone = upload.submission !== null;
      for (const file of files) this.files.addKnown(file);
      this.#isWhole = files.length === this.#wholeFiles;
      this.#start();
    } catch (error) {
      if (!signal.aborted) this.#fail(error as Error);
    }
    this.#changed();
  }

  /** Adds chosen files, and sends them. @param unusable what else was in the chosen folder */
  async add(chosen: Iterable<readonly [path: string, file: File]>, unusable: Unusable): Promise<void> {
    this.#adding += 1;
    this.resume();
    const replaced: string[] = [];
    let began = performance.now();
    for (const [path, file] of chosen) {
      // Browsers look up each file when its size is asked for, which takes seconds for a large folder.
      if (performance.now() - began > LONGEST_TASK_MS) {
        this.#start();
        this.#changed();
        await new Promise((resolve) => setTimeout(resolve));
        if (this.#closed.signal.aborted) return;
        began = performance.now();
      }
      const { entry, replaced: isOther } = this.files.choose(path, file);
      this.#stop(entry);
      if (isOther) replaced.push(path);
    }
    this.#adding -= 1;
    this.#notes = { ...unusable, replaced };
    this.#start();
    this.#changed();
  }

  /** Takes what has arrived for everything. */
  accept(): void {
    this.#isWhole = true;
    this.#changed();
  }

  /** Stops sending. What has arrived is kept. */
  pause(): void {
    this.#isRunning = false;
    for (const entry of [...this.#active.keys()]) {
      this.#stop(entry);
      this.files.move(entry, "waiting");
    }
    this.#changed();
  }

  /** Sends what is missing. */
  resume(): void {
    if (this.#error !== undefined && this.#upload === undefined) void this.#open();
    this.#error = undefined;
    this.#isRunning = true;
    this.#pace.reset();
    this.#start();
    this.#changed();
  }

  /** Sends files again that could not be sent. */
  retry(entries: Iterable<Entry> = this.files.in("failed")): void {
    for (const entry of [...entries]) this.files.again(entry);
    this.resume();
  }

  /** Removes a file from what is chosen and from the upload. @throws ProblemError, the error of the network */
  async remove(entry: Entry): Promise<void> {
    // A request that creates the file cannot be taken back, and its address is not known before the answer.
    if (entry.state === "sending" && entry.known === undefined) await this.#active.get(entry)?.done;
    this.#stop(entry);
    const { known } = entry;
    try {
      if (known !== undefined) await removeFile(known.url);
      this.files.delete(entry);
    } catch (error) {
      if (entry.file !== undefined) this.files.move(entry, "waiting");
      throw error;
    } finally {
      this.#start();
      this.#changed();
    }
  }

  /** Ends the session. The upload is kept. */
  close(): void {
    this.#closed.abort();
    this.pause();
    this.#hashers?.close();
    this.#hashers = undefined;
    removeEventListener("beforeunload", this.#warn);
  }

  #start(): void {
    if (!this.#isRunning || this.#upload === undefined || this.#isGone) return;
    const waiting = this.files.in("waiting").values();
    while (this.#active.size < AT_ONCE) {
      const { value: entry } = waiting.next();
      if (entry === undefined) return;
      const stop = new AbortController();
      this.files.move(entry, entry.sha512 === undefined ? "reading" : "sending");
      this.#active.set(entry, { stop, done: this.#process(entry, stop) });
    }
  }

  /** Ends the work at a file. */
  #stop(entry: Entry): void {
    const work = this.#active.get(entry);
    this.#active.delete(entry);
    work?.stop.abort();
  }

  async #process(entry: Entry, { signal }: AbortController): Promise<void> {
    try {
      this.#hashers ??= new Hashers();
      await bringFile(entry, {
        files: this.files,
        hashers: this.#hashers,
        pace: this.#pace,
        endpoint: this.#upload?.files ?? "",
        onChange: () => this.#changed(),
        signal,
      });
      signal.throwIfAborted();
      this.files.move(entry, "done");
    } catch (error) {
      // Otherwise, another work at the file may have begun.
      if (!signal.aborted) await this.#judge(entry, error as Error);
    } finally {
      if (!signal.aborted) this.#active.delete(entry);
      this.#start();
      this.#changed();
    }
  }

  /** Decides whether an error is about one file or about the upload. */
  async #judge(entry: Entry, error: Error): Promise<void> {
    if (isTakenPath(entry, error)) return this.files.move(entry, "waiting");
    if (isOfFile(error)) return this.files.move(entry, "failed", error);
    this.files.move(entry, "waiting");
    if (!(error instanceof ProblemError && error.problem.code === "not_found")) return this.#fail(error);
    // Another program has removed this file, or the upload.
    entry.known = undefined;
    this.files.arrive(entry, 0);
    await readUpload(this.id, this.#closed.signal).catch((reason: Error) => {
      if (!this.#closed.signal.aborted) this.#fail(reason);
    });
  }

  /** Stops the upload because of an error that is not about one file. */
  #fail(error: Error): void {
    if (error instanceof ProblemError && ["not_found", "upload_submitted"].includes(error.problem.code)) {
      this.#isGone = true;
    }
    this.#error = error;
    this.pause();
  }

  #status(): UploadStatus {
    if (this.#isGone) return "gone";
    if (this.#error !== undefined) return "stopped";
    if (this.#upload === undefined) return "opening";
    const { waiting, reading, sending, failed, partial, extra } = this.files.counts();
    if (this.#adding + waiting + reading + sending > 0) return this.#isRunning ? "sending" : "paused";
    if (this.files.size === 0) return "empty";
    // The service does not know the files of a folder of which nothing was sent, so that other files of it prove nothing.
    if (!this.files.hasChosen && partial > 0) return "unchosen";
    if ((!this.files.hasChosen || extra > 0) && !this.#isWhole) return "unchosen";
    return failed + partial > 0 ? "incomplete" : "ready";
  }

  #look(): Snapshot {
    const { files } = this;
    const status = this.#status();
    return {
      status,
      counts: files.counts(),
      files: files.size,
      bytes: files.bytes,
      arrived: files.arrived,
      hasChosen: files.hasChosen,
      isAdding: this.#adding > 0,
      ...(status === "sending" && this.#pace.speed(performance.now(), files.bytes - files.arrived + files.unread)),
      error: this.#error,
      upload: this.#upload,
      notes: this.#notes,
    };
  }

  /** Reads how long the upload is kept now, and the files that other programs have added. */
  async #refresh(): Promise<void> {
    const { signal } = this.#closed;
    try {
      this.#upload = await readUpload(this.id, signal);
      if (this.#upload.fileCount !== this.files.size) {
        this.files.addOthers(await readUploadFiles(this.id, signal));
      }
    } catch (error) {
      if (!signal.aborted) this.#fail(error as Error);
    }
    this.#changed();
  }

  /** The browser asks whether to leave the page. */
  readonly #warn = (event: Event) => event.preventDefault();

  /** Continues after the network was interrupted. */
  readonly #onOnline = () => {
    if (this.#error !== undefined && !(this.#error instanceof ProblemError)) this.resume();
  };

  /** Tells the pages, at once if the status is another one. */
  #changed(): void {
    const isUrgent = this.#status() !== this.#snapshot.status;
    if (isUrgent) {
      this.#tell();
      if (this.#snapshot.status === "ready") void this.#refresh();
    } else this.#timer ??= setTimeout(() => this.#tell(), UPDATE_MS);
  }

  #tell(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#snapshot = this.#look();
    if (this.#snapshot.status === "sending") addEventListener("beforeunload", this.#warn);
    else removeEventListener("beforeunload", this.#warn);
    for (const listener of this.#listeners) listener();
  }
}
