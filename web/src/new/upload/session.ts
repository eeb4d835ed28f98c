import { ProblemError } from "@accession/client";
import { currentSession } from "../../api/session/session.ts";
import { readUpload, readUploadFiles, type Upload } from "../../api/uploads.ts";
import type { Unusable } from "../../compare/chosen-files.ts";
import { isOfToken } from "./sending/answers.ts";
import { type Entry, type FileState, FileTable } from "./sending/file-table.ts";
import { Pace } from "./sending/pace.ts";
import { removeFile } from "./sending/send-file.ts";
import { Sending } from "./sending/sending.ts";
import type { Notes, Snapshot } from "./snapshot.ts";
import { sentStatus, type UploadStatus } from "./status.ts";
import { Throttled } from "./throttled.ts";
import { UploadCheck } from "./upload-check.ts";

/** The page answers the user in between. */
const LONGEST_TASK_MS = 40;

/**
 * Sends chosen files to an upload, and continues while the page shows something else. Each file is read for its SHA-512, compared with
 * what the upload has, and sent if necessary. Afterwards the upload is compared with what was sent, because other programs can change it.
 * Pages subscribe to snapshots, which change a few times a second.
 */
export class UploadSession {
  readonly id: string;
  readonly files = new FileTable();
  readonly #closed = new AbortController();
  readonly #pace = new Pace();
  readonly #check: UploadCheck;
  readonly #sending: Sending;
  #upload: Upload | undefined;
  #isRunning = false;
  #isSuspended = false;
  #isReading = false;
  #error: Error | undefined;
  #isGone = false;
  /** Choices whose files are being added. */
  #adding = 0;
  #isRemoving = false;
  #notes: Notes = { emptyFolders: [], unreadable: [], sameName: [], replaced: [] };
  readonly #wholeFiles: number;
  /** Whether the upload, as it was opened, had all files that were once chosen for it. */
  #isWhole = false;
  readonly #shown: Throttled<Snapshot>;

  /** @param wholeFiles the number of files of the upload when all had arrived on an earlier visit; 0 if that is not known */
  constructor(id: string, wholeFiles: number) {
    this.id = id;
    this.#wholeFiles = wholeFiles;
    this.#check = new UploadCheck(id, this.files);
    this.#sending = new Sending({
      files: this.files,
      pace: this.#pace,
      upload: () => (this.#isRunning && !this.#isSuspended && !this.#isGone ? this.#upload : undefined),
      onSend: () => this.#check.note(),
      onChange: () => this.#changed(),
      onError: (error) => this.#fail(error),
      onDoubt: () => this.#confirm(),
    });
    this.#shown = new Throttled(() => this.#look());
    const { signal } = this.#closed;
    addEventListener("online", this.#onOnline, { signal });
    addEventListener("focus", () => void this.recheck(), { signal });
    this.#changed();
  }

  get snapshot(): Snapshot {
    return this.#shown.value;
  }

  get subscribe(): (listener: () => void) => () => void {
    return this.#shown.subscribe;
  }

  /** Whether files were chosen that the upload does not have yet. */
  get hasUnsent(): boolean {
    const { waiting, reading, sending, failed } = this.files.counts();
    return this.#adding + waiting + reading + sending + failed > 0;
  }

  /** Whether it waits until the user has signed in. */
  get isSuspended(): boolean {
    return this.#isSuspended;
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
        this.#sending.start();
        this.#changed();
        await new Promise((resolve) => setTimeout(resolve));
        if (this.#closed.signal.aborted) return;
        began = performance.now();
      }
      const { entry, replaced: isOther } = this.files.choose(path, file);
      this.#sending.stop(entry);
      if (isOther) replaced.push(path);
    }
    this.#adding -= 1;
    this.#notes = { ...unusable, replaced };
    this.#sending.start();
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
    this.#sending.stopAll();
    this.#changed();
  }

  /** Sends what is missing. */
  resume(): void {
    this.#error = undefined;
    this.#isRunning = true;
    this.#pace.reset();
    this.#sending.start();
    this.#changed();
  }

  /** Stops until the user has signed in again, after the service has rejected the token. What was chosen is kept. */
  suspend(): void {
    this.#isSuspended = true;
    this.#sending.stopAll();
    this.#changed();
  }

  /** Continues as the user who has signed in, and whose upload it is. */
  signedIn(): void {
    if (!this.#isSuspended) return;
    this.#isSuspended = false;
    this.#pace.reset();
    this.#sending.start();
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
    if (entry.state === "sending" && entry.known === undefined) await this.#sending.untilDone(entry);
    this.#sending.stop(entry);
    try {
      if (entry.known !== undefined) await this.#removeKnown(entry);
      this.files.delete(entry);
    } catch (error) {
      if (entry.file !== undefined) this.files.move(entry, "waiting");
      throw error;
    } finally {
      this.#check.note();
      this.#sending.start();
      this.#changed();
    }
  }

  /** Removes all files in a state, as {@link remove}. */
  async removeAll(state: FileState): Promise<void> {
    this.#isRemoving = true;
    try {
      for (const entry of [...this.files.in(state)]) await this.remove(entry);
    } finally {
      this.#isRemoving = false;
      this.#changed();
    }
  }

  /** Compares the files again if another program or tab has changed the upload since. */
  async recheck(): Promise<void> {
    const { revision } = this.#upload ?? {};
    if (revision === undefined || this.#isSuspended || this.#error !== undefined || this.#check.isDue) return;
    await this.#confirm(({ revision: now }) => now !== revision && this.#check.note());
  }

  /** Ends the session. The upload is kept. */
  close(): void {
    this.#closed.abort();
    this.#isRunning = false;
    this.#sending.close();
    this.#shown.close();
    removeEventListener("beforeunload", this.#warn);
  }

  async #removeKnown({ path, known }: Entry): Promise<void> {
    const { signal } = this.#closed;
    const url = known?.url ?? (await readUploadFiles(this.id, signal)).find((file) => file.path === path)?.url;
    if (url !== undefined) await removeFile(url);
  }

  /** Reads what the upload has. */
  async #read(): Promise<void> {
    const { signal } = this.#closed;
    this.#isReading = true;
    try {
      const isFirst = this.#upload === undefined;
      const upload = await this.#check.run(signal);
      this.#upload = upload;
      this.#isGone = upload.submission !== null;
      if (isFirst) this.#isWhole = upload.fileCount === this.#wholeFiles;
      this.#sending.start();
    } catch (error) {
      if (!signal.aborted) this.#fail(error as Error);
    } finally {
      this.#isReading = false;
    }
    this.#changed();
  }

  /** Asks whether the upload still exists and is open. */
  async #confirm(onAnswer: (upload: Upload) => unknown = () => undefined): Promise<void> {
    const { signal } = this.#closed;
    try {
      const upload = await readUpload(this.id, signal);
      this.#isGone = upload.submission !== null;
      if (this.#isGone) this.#upload = upload;
      onAnswer(upload);
    } catch (error) {
      if (!signal.aborted) this.#fail(error as Error);
    }
    this.#changed();
  }

  /** Stops the upload because of an error that is not about one file. */
  #fail(error: Error): void {
    // It continues with the token of the new session, which may be there already.
    if (isOfToken(error) && (this.#isSuspended || currentSession() !== undefined)) return;
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
    const { waiting, reading, sending } = this.files.counts();
    if (this.#adding + waiting + reading + sending > 0) return this.#isRunning ? "sending" : "paused";
    return this.#check.isDue ? "checking" : sentStatus(this.files, this.#isWhole);
  }

  #look(): Snapshot {
    const { files } = this;
    const status = this.#status();
    return {
      status,
      counts: files.counts(),
      files: files.size,
      isWhole: (status === "checking" || status === "ready") && sentStatus(files, this.#isWhole) === "ready",
      bytes: files.bytes,
      arrived: files.arrived,
      hasChosen: files.hasChosen,
      unstated: status === "ready" ? files.unstated : 0,
      isAdding: this.#adding > 0,
      ...(status === "sending" && this.#pace.speed(performance.now(), files)),
      error: this.#error,
      upload: this.#upload,
      notes: this.#notes,
    };
  }

  /** The browser asks whether to leave the page. */
  readonly #warn = (event: Event) => event.preventDefault();

  /** Continues after the network was interrupted. */
  readonly #onOnline = () => {
    if (this.#error !== undefined && !(this.#error instanceof ProblemError)) this.resume();
  };

  /** Tells the pages, at once if the status is another one. */
  #changed(): void {
    if (this.#closed.signal.aborted) return;
    const status = this.#status();
    const isToRead = status === "opening" || (status === "checking" && !this.#isRemoving);
    if (isToRead && !this.#isReading && !this.#isSuspended) void this.#read();
    if (this.hasUnsent) addEventListener("beforeunload", this.#warn);
    else removeEventListener("beforeunload", this.#warn);
    this.#shown.change(status !== this.snapshot.status);
  }
}
