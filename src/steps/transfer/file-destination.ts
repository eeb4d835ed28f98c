import type { FolderContentWriter } from "../../archive/folder/content-writer.ts";
import type { ReceivedFile } from "../../archive/folder/received-file.ts";
import type { ObjectRecord } from "../../db/chunks/objects.ts";
import type { DigestResult, StatedDigests } from "../../source/reading/digests.ts";
import type { FileHash, FileHashers } from "../../source/reading/file-hashers.ts";
import type { Destination } from "../../source/source.ts";

/** Number of new bytes after which a file is synced and its progress recorded. A crash loses at most this many. */
const NOTE_BYTES = 64 * 1024 * 1024;
/** Number of new bytes after which the hashing thread is notified. */
const STEP_BYTES = 2 * 1024 * 1024;

/** Writes a large object to a file. A second thread reads the file and computes the digests. */
export class FileDestination implements Destination {
  readonly #writer: FolderContentWriter;
  readonly #object: ObjectRecord;
  readonly #hashers: FileHashers;
  readonly #file: ReceivedFile;
  readonly #signal: AbortSignal;
  #kept: number;
  #following: FileHash | undefined;
  #reached = 0;
  #told = 0;
  #noted = 0;
  #noting: Promise<void> | undefined;
  /** An error while recording progress; thrown at the end. */
  #fault: { error: unknown } | undefined;

  constructor(writer: FolderContentWriter, object: ObjectRecord, hashers: FileHashers, signal: AbortSignal) {
    this.#signal = signal;
    this.#writer = writer;
    this.#object = object;
    this.#hashers = hashers;
    this.#file = writer.open(object.seq, JSON.stringify([object.key, object.bytes, object.etag]));
    this.#kept = this.#file.kept;
  }

  get kept(): number {
    return this.#kept;
  }

  begin(offers: StatedDigests, kept: number): void {
    this.#following?.stop();
    const isFresh = this.#reached === 0 && this.#kept === kept;
    if (!isFresh) this.#file.restart();
    this.#kept = 0;
    this.#reached = kept;
    this.#told = 0;
    this.#noted = kept;
    this.#following = this.#hashers.follow([{ path: this.#file.path, from: 0 }], offers);
  }

  write(at: number, chunk: Uint8Array): void {
    this.#file.write(at, chunk);
  }

  reached(place: number): void {
    this.#reached = place;
    if (place - this.#told >= STEP_BYTES) {
      this.#told = place;
      this.#following?.reached(place);
    }
    if (place - this.#noted >= NOTE_BYTES && this.#noting === undefined) this.#note(place);
  }

  async verdict(): Promise<DigestResult> {
    if (this.#following === undefined) throw new Error("The file was finished before any byte was read");
    const verdict = await this.#following.verdict(this.#signal);
    await this.#noting;
    if (this.#fault !== undefined) throw this.#fault.error;
    return verdict;
  }

  /** Moves the file to its final path. */
  place(): string | null {
    return this.#writer.place(this.#file, this.#object.key, this.#object.odd);
  }

  /** Stops. The bytes received so far are kept for a later try. */
  async leave(): Promise<void> {
    this.#following?.stop();
    try {
      await this.#noting;
      if (this.#reached - this.#noted >= STEP_BYTES) await this.#file.keep(this.#reached);
    } finally {
      this.#file.release();
    }
  }

  /** Stops, and deletes the bytes received so far. */
  discard(): void {
    this.#following?.stop();
    this.#file.discard();
  }

  #note(place: number): void {
    this.#noted = place;
    this.#noting = this.#file
      .keep(place)
      .catch((error: unknown) => {
        this.#fault ??= { error };
      })
      .finally(() => {
        this.#noting = undefined;
      });
  }
}
