import { ProblemError } from "@accession/client";
import type { UploadFile } from "../../../api/uploads.ts";

/**
 * - `failed`: the file could not be sent.
 * - `sending`, `reading` (its SHA-512 is computed), `waiting`: the file is chosen, and will be in the upload.
 * - `partial`: the upload has a part of the file, and the file is not chosen.
 * - `extra`: the upload has the file, and the file is not chosen.
 * - `done`: the upload has the file that is chosen.
 */
export const FILE_STATES = ["failed", "sending", "reading", "waiting", "partial", "extra", "done"] as const;
export type FileState = (typeof FILE_STATES)[number];

/** A file that is chosen, or in the upload, or both. */
export interface Entry {
  readonly path: string;
  state: FileState;
  bytes: number;
  /** Undefined if it is not chosen. */
  file: File | undefined;
  /** Of the chosen file, in lower-case hex; undefined until it was read. */
  sha512: string | undefined;
  /** What the upload has at this path. */
  known: KnownFile | undefined;
  /** Bytes that the service has. */
  arrived: number;
  /** Bytes that were read for the SHA-512. */
  read: number;
  /** Why it could not be sent. */
  failure: Error | undefined;
}

export interface KnownFile {
  bytes: number;
  sha512: string | null;
  isComplete: boolean;
  receivedBytes: number;
  /** Its address for tus clients, relative to the service or absolute. Undefined until it is asked for, after a batch. */
  url: string | undefined;
}

/** What was sent is not in the upload any more: another program or tab has changed it. */
export class ChangedElsewhere extends Error {
  readonly what: "removed" | "replaced";

  constructor(what: "removed" | "replaced") {
    super(`The file was ${what}`);
    this.what = what;
  }
}

/** The files of an upload with their states, and how many have each state. */
export class FileTable {
  readonly #entries = new Map<string, Entry>();
  readonly #groups = Object.fromEntries(FILE_STATES.map((state) => [state, new Set<Entry>()])) as Record<
    FileState,
    Set<Entry>
  >;
  #bytes = 0;
  #arrived = 0;
  #unread = 0;

  get size(): number {
    return this.#entries.size;
  }

  /** The size of all files together. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Bytes that the service has, of all files. */
  get arrived(): number {
    return this.#arrived;
  }

  /** Bytes that the service does not have yet. */
  get unsent(): number {
    return this.#bytes - this.#arrived;
  }

  /** Bytes of chosen files that must be read for their SHA-512. */
  get unread(): number {
    return this.#unread;
  }

  /** Whether any file is chosen. */
  get hasChosen(): boolean {
    const { partial, extra } = this.#groups;
    return partial.size + extra.size < this.size;
  }

  /** The number of files that are not chosen, and that were sent without a checksum. */
  get unstated(): number {
    return [...this.#groups.extra].filter(({ known }) => known?.sha512 === null).length;
  }

  /** The chosen files by path. */
  chosen(): Map<string, File> {
    const entries = [...this.#entries.values()];
    return new Map(entries.flatMap(({ path, file }) => (file === undefined ? [] : [[path, file] as const])));
  }

  counts(): Record<FileState, number> {
    const sizes = FILE_STATES.map((state) => [state, this.#groups[state].size] as const);
    return Object.fromEntries(sizes) as Record<FileState, number>;
  }

  in(state: FileState): ReadonlySet<Entry> {
    return this.#groups[state];
  }

  /** The files, or those in one state, in the order in which they were added. */
  slice(state: FileState | undefined, from: number, to: number): Entry[] {
    const found: Entry[] = [];
    let place = 0;
    for (const entry of state === undefined ? this.#entries.values() : this.#groups[state]) {
      if (place >= to) break;
      if (place >= from) found.push(entry);
      place += 1;
    }
    return found;
  }

  /**
   * Takes over what the upload has. Files that were sent from here, and that others have removed or replaced since, have failed: the user
   * decides about them.
   * @param files all files of the upload
   */
  compare(files: readonly UploadFile[]): void {
    const others = new Set(this.#entries.values());
    for (const file of files) {
      const entry = this.#entries.get(file.path);
      if (entry !== undefined) others.delete(entry);
      this.#compareOne(entry, file);
    }
    for (const entry of others) {
      if (entry.file === undefined) this.delete(entry);
      else this.#lose(entry, undefined, "removed");
    }
  }

  #compareOne(entry: Entry | undefined, { path, bytes, sha512, receivedBytes, completedAt, url }: UploadFile): void {
    const isComplete = completedAt !== null;
    const known: KnownFile = { bytes, sha512, isComplete, receivedBytes, url };
    if (entry?.file !== undefined) {
      const isSame = isComplete && bytes === entry.bytes && sha512 === entry.sha512;
      if (entry.state !== "done") this.#relate(entry, known);
      else if (isSame) entry.known = known;
      else this.#lose(entry, known, "replaced");
      return;
    }
    if (entry !== undefined) {
      this.#bytes += bytes - entry.bytes;
      entry.bytes = bytes;
      this.#relate(entry, known);
      this.move(entry, isComplete ? "extra" : "partial");
      return;
    }
    this.#add({
      path,
      state: isComplete ? "extra" : "partial",
      bytes,
      file: undefined,
      sha512: undefined,
      known,
      arrived: receivedBytes,
      read: 0,
      failure: undefined,
    });
  }

  /** The upload has another file than the one that was sent from here, or none. */
  #lose(entry: Entry, known: KnownFile | undefined, what: ChangedElsewhere["what"]): void {
    this.#relate(entry, known);
    if (entry.state === "done") this.move(entry, "failed", new ChangedElsewhere(what));
  }

  /**
   * Adds a chosen file, or replaces the chosen one at its path.
   * @returns what is at the path now, and whether another file was chosen there
   */
  choose(path: string, file: File): { entry: Entry; replaced: boolean } {
    const before = this.#entries.get(path);
    const replaced = before?.file !== undefined && !isSame(before.file, file);
    if (before === undefined) {
      const entry: Entry = {
        path,
        state: "waiting",
        bytes: file.size,
        file,
        sha512: undefined,
        known: undefined,
        arrived: 0,
        read: 0,
        failure: undefined,
      };
      this.#add(entry);
      return { entry, replaced };
    }
    this.#bytes += file.size - before.bytes;
    this.#unread -= unreadOf(before);
    before.bytes = file.size;
    before.file = file;
    before.sha512 = undefined;
    this.#unread += unreadOf(before);
    this.move(before, "waiting");
    this.#relate(before, before.known);
    return { entry: before, replaced };
  }

  /** Makes a file wait that could not be sent. It is read again if its bytes were others than those that were read before. */
  again(entry: Entry): void {
    const { failure, file, path } = entry;
    const isOther = failure instanceof ProblemError && failure.problem.code === "upload_digest_wrong";
    if (isOther && file !== undefined) this.choose(path, file);
    else this.move(entry, "waiting");
  }

  /** Changes the state of a file. */
  move(entry: Entry, state: FileState, failure?: Error): void {
    this.#groups[entry.state].delete(entry);
    entry.state = state;
    entry.failure = failure;
    this.read(entry, -entry.read);
    this.#groups[state].add(entry);
  }

  /** Notes that bytes of a file were read. */
  read(entry: Entry, bytes: number): void {
    this.#unread -= unreadOf(entry);
    entry.read += bytes;
    this.#unread += unreadOf(entry);
  }

  /** Notes the SHA-512 of a file, which was read. */
  identify(entry: Entry, sha512: string): void {
    this.#unread -= unreadOf(entry);
    entry.sha512 = sha512;
  }

  /** Sets the number of bytes of a file that the service has. */
  arrive(entry: Entry, bytes: number): void {
    this.#arrived += bytes - entry.arrived;
    entry.arrived = bytes;
  }

  delete(entry: Entry): void {
    if (!this.#entries.delete(entry.path)) return;
    this.#groups[entry.state].delete(entry);
    this.#bytes -= entry.bytes;
    this.#arrived -= entry.arrived;
    this.#unread -= unreadOf(entry);
  }

  /** Until it was read, a chosen file of the same size is taken for the one that the upload has. */
  #relate(entry: Entry, known: KnownFile | undefined): void {
    entry.known = known;
    this.arrive(entry, known?.bytes === entry.bytes ? known.receivedBytes : 0);
  }

  #add(entry: Entry): void {
    this.#entries.set(entry.path, entry);
    this.#groups[entry.state].add(entry);
    this.#bytes += entry.bytes;
    this.#arrived += entry.arrived;
    this.#unread += unreadOf(entry);
  }
}

function unreadOf({ file, sha512, bytes, read }: Entry): number {
  return file === undefined || sha512 !== undefined ? 0 : bytes - read;
}

function isSame(one: File, other: File): boolean {
  return one.size === other.size && one.lastModified === other.lastModified;
}
