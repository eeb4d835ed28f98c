import { ProblemError } from "@accession/client";
import { readUpload, readUploadFiles, type Upload } from "../../api/uploads.ts";
import type { Unusable } from "../../compare/chosen-files.ts";
import { Hashers, UnreadableFile } from "../../compare/hashers.ts";
import { type Entry, type FileState, FileTable } from "./file-table.ts";
import { Pace } from "./pace.ts";
import { removeFile, sendFile } from "./send-file.ts";
import type { UploadStatus } from "./status.ts";

/** Files that are sent at the same time. Browsers open six connections to a server, and the form needs some of them. */
const AT_ONCE = 4;
/** How often at most a page is drawn again. */
const UPDATE_MS = 250;
/** Problems that are about one file. All others stop the upload, as in `accession upload`. */
const OF_A_FILE: readonly string[] = ["upload_digest_wrong", "upload_path_taken", "bad_request"];

/** What the last choice had besides files to send, by path. */
export interface Notes extends Unusable {
  /** Other files were chosen before at these paths. */
  replaced: string[];
}

/** The state of an upload at one moment. */
export interface Snapshot {
  status: UploadStatus;
  counts: Readonly<Record<FileState, number>>;
  files: number;
  bytes: number;
  /** Bytes that the service has. */
  arrived: number;
  hasChosen: boolean;
  /** Bytes a second; undefined if it is not known. */
  rate: number | undefined;
  /** Why the upload was stopped. */
  error: Error | undefined;
  /** The upload as the service described it at first. */
  upload: Upload | undefined;
  notes: Notes;
}

/**
 * Sends chosen files to an upload, and continues while the page shows something else. Each file is read for its SHA-512, compared with
 * what the upload has, and sent if necessary. Pages subscribe to snapshots, which change a few times a second.
 */
export class UploadSession {
  readonly id: string;
  readonly files = new FileTable();
  readonly #listeners = new Set<() => void>();
  readonly #active = new Map<Entry, AbortController>();
  readonly #closed = new AbortController();
  readonly #pace = new Pace();
  #hashers: Hashers | undefined;
  #upload: Upload | undefined;
  #isRunning = false;
  #error: Error | undefined;
  #isGone = false;
  #notes: Notes = { emptyFolders: [], unreadable: [], replaced: [] };
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wholeFiles: number;
  #snapshot: Snapshot;

  /** @param wholeFiles the number of files of the upload when all had arrived on an earlier visit; 0 if that is not known */
  constructor(id: string, wholeFiles: number) {
    this.id = id;
    this.#wholeFiles = wholeFiles;
    this.#snapshot = this.#look();
    void this.open();
  }

  get snapshot(): Snapshot {
    return this.#snapshot;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Reads what the upload has. Called again if that has failed. */
  async open(): Promise<void> {
    this.#error = undefined;
    this.#changed();
    const { signal } = this.#closed;
    try {
      const upload = await readUpload(this.id, signal);
      const files = upload.submission === null ? await readUploadFiles(this.id, signal) : [];
      this.#upload = upload;
      this.#isGone = upload.submission !== null;
      for (const file of files) this.files.addKnown(file);
      this.#start();
    } catch (error) {
      if (!signal.aborted) this.#fail(error as Error);
    }
    this.#changed();
  }

  /** Adds chosen files, and sends them. @param unusable what else was in the chosen folder */
  add(chosen: Iterable<readonly [path: string, file: File]>, unusable: Unusable): void {
    const replaced: string[] = [];
    for (const [path, file] of chosen) {
      const { entry, replaced: isOther } = this.files.choose(path, file);
      this.#stop(entry);
      if (isOther) replaced.push(path);
    }
    this.#notes = { ...unusable, replaced };
    this.resume();
  }

  /** Takes what has arrived for everything. */
  accept(): void {
    this.#wholeFiles = this.files.size;
    this.#changed();
  }

  /** The chosen files by path. */
  chosen(): Map<string, File> {
    const entries = this.files.slice(undefined, 0, this.files.size);
    return new Map(entries.flatMap(({ path, file }) => (file === undefined ? [] : [[path, file] as const])));
  }

  /** Stops sending. What has arrived is kept. */
  pause(): void {
    this.#isRunning = false;
    for (const entry of [...this.#active.keys()]) {
      this.#stop(entry);
      this.files.move(entry, "waiting");
    }
    this.#pace.reset();
    this.#changed();
  }

  /** Sends what is missing. */
  resume(): void {
    this.#error = undefined;
    this.#isRunning = true;
    this.#pace.reset();
    this.#start();
    this.#changed();
  }

  /** Sends files again that could not be sent. */
  retry(entries: Iterable<Entry> = this.files.in("failed")): void {
    for (const entry of [...entries]) this.files.move(entry, "waiting");
    this.resume();
  }

  /** Removes a file from what is chosen and from the upload. @throws ProblemError, the error of the network */
  async remove(entry: Entry): Promise<void> {
    this.#stop(entry);
    if (entry.known !== undefined) await removeFile(entry.known.url);
    this.files.delete(entry);
    this.#start();
    this.#changed();
  }

  /** Ends the session. The upload is kept. */
  close(): void {
    this.#closed.abort();
    this.pause();
    this.#hashers?.close();
    this.#hashers = undefined;
    removeEventListener("beforeunload", warn);
  }

  #start(): void {
    if (!this.#isRunning || this.#upload === undefined || this.#isGone) return;
    const waiting = this.files.in("waiting").values();
    while (this.#active.size < AT_ONCE) {
      const { value: entry } = waiting.next();
      if (entry === undefined) return;
      void this.#process(entry);
    }
  }

  /** Ends the work at a file. */
  #stop(entry: Entry): void {
    const work = this.#active.get(entry);
    this.#active.delete(entry);
    work?.abort();
  }

  async #process(entry: Entry): Promise<void> {
    const work = new AbortController();
    this.#active.set(entry, work);
    try {
      await this.#send(entry, work.signal);
      work.signal.throwIfAborted();
      this.files.move(entry, "done");
    } catch (error) {
      // Another work at the file may have begun.
      if (!work.signal.aborted) await this.#judge(entry, error as Error);
    } finally {
      if (this.#active.get(entry) === work) this.#active.delete(entry);
      this.#start();
      this.#changed();
    }
  }

  async #send(entry: Entry, signal: AbortSignal): Promise<void> {
    const { path, file } = entry;
    if (file === undefined) return;
    if (entry.sha512 === undefined) {
      this.files.move(entry, "reading");
      this.#changed();
      this.#hashers ??= new Hashers();
      const onBytes = (bytes: number) => {
        if (signal.aborted) return;
        entry.read += bytes;
        this.#changed();
      };
      entry.sha512 = await this.#hashers.hash(file, onBytes, signal);
    }
    const { sha512 } = entry;
    const { known } = entry;
    const isSame = known?.sha512 === sha512 && known.bytes === file.size;
    if (isSame && known.isComplete) return;
    if (known !== undefined && !isSame) {
      this.files.arrive(entry, 0);
      await removeFile(known.url);
      signal.throwIfAborted();
      entry.known = undefined;
    }
    this.files.move(entry, "sending");
    await sendFile({
      endpoint: this.#upload?.files ?? "",
      url: entry.known?.url,
      path,
      file,
      sha512,
      onUrl: (url) => {
        entry.known = { bytes: file.size, sha512, isComplete: false, receivedBytes: 0, url };
      },
      onProgress: (bytes) => {
        if (signal.aborted) return;
        this.#pace.add(bytes - entry.arrived);
        this.files.arrive(entry, bytes);
        this.#changed();
      },
      signal,
    });
    signal.throwIfAborted();
    this.files.arrive(entry, file.size);
    if (entry.known !== undefined) entry.known.isComplete = true;
  }

  /** Decides whether an error is about one file or about the upload. */
  async #judge(entry: Entry, error: Error): Promise<void> {
    const problem = error instanceof ProblemError ? error.problem : undefined;
    if (error instanceof UnreadableFile || OF_A_FILE.includes(problem?.code ?? "")) {
      // Another attempt replaces the file of another program.
      const { file: url } = (problem ?? {}) as { file?: string };
      if (url !== undefined) entry.known = { ...UNKNOWN, url };
      this.files.move(entry, "failed", error);
      return;
    }
    this.files.move(entry, "waiting");
    if (problem?.code !== "not_found") return this.#fail(error);
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
    const { waiting, reading, sending, failed, partial } = this.files.counts();
    if (waiting + reading + sending > 0) return this.#isRunning ? "sending" : "paused";
    if (this.files.size === 0) return "empty";
    // The service does not know the files of which nothing was sent.
    if (!this.files.hasChosen && (partial > 0 || this.files.size !== this.#wholeFiles)) return "unchosen";
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
      rate: status === "sending" ? this.#pace.rate(performance.now()) : undefined,
      error: this.#error,
      upload: this.#upload,
      notes: this.#notes,
    };
  }

  /** Tells the pages, at once if the status is another one. */
  #changed(): void {
    const isUrgent = this.#status() !== this.#snapshot.status;
    if (isUrgent) this.#tell();
    else this.#timer ??= setTimeout(() => this.#tell(), UPDATE_MS);
  }

  #tell(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#snapshot = this.#look();
    if (this.#snapshot.status === "sending") addEventListener("beforeunload", warn);
    else removeEventListener("beforeunload", warn);
    for (const listener of this.#listeners) listener();
  }
}

/** A file of the upload of which nothing is known. */
const UNKNOWN = { bytes: -1, sha512: null, isComplete: false, receivedBytes: 0 };

/** The browser asks whether to leave the page. */
function warn(event: Event): void {
  event.preventDefault();
}
