import { closeSync, fdatasync, openSync, readFileSync, renameSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { unwritable } from "./durable-writes.ts";

/** The note about a file that was received in part. */
interface PartialFile {
  identity: string;
  /** Name of the file, which is stored beside the note. */
  name: string;
  bytes: number;
}

/**
 * A file that is being received; pieces may arrive in any order. The bytes that {@link keep} noted survive a crash, and
 * a later try of the same content continues the file.
 */
export class ReceivedFile {
  /** Number of bytes, from the first, that an earlier try has left. */
  readonly kept: number;
  readonly #freshPath: () => string;
  readonly #note: string;
  readonly #identity: string;
  #noted: boolean;
  #path: string;
  #descriptor: number;

  /**
   * @param freshPath returns a unique path
   * @param note the file that tells a later try where to continue
   * @param identity identifies the content
   * @throws Problem `no_space`, `archive_unwritable`
   */
  constructor(freshPath: () => string, note: string, identity: string) {
    this.#freshPath = freshPath;
    this.#note = note;
    this.#identity = identity;
    this.#path = freshPath();
    try {
      this.kept = this.#adopt();
      this.#noted = this.kept > 0;
      this.#descriptor = openSync(this.#path, this.#noted ? "r+" : "wx+");
    } catch (error) {
      throw unwritable(error);
    }
  }

  get path(): string {
    return this.#path;
  }

  write(at: number, chunk: Uint8Array): void {
    try {
      writeWhole(this.#descriptor, chunk, at);
    } catch (error) {
      throw unwritable(error);
    }
  }

  /** Starts again with an empty file. Never truncates the old one, because another worker may have taken it over. */
  restart(): void {
    this.discard();
    try {
      this.#path = this.#freshPath();
      this.#descriptor = openSync(this.#path, "wx+");
    } catch (error) {
      throw unwritable(error);
    }
  }

  /**
   * Makes the written bytes durable, then notes that all bytes below this position are stored, unless the file was
   * discarded.
   */
  async keep(bytes: number): Promise<void> {
    const descriptor = this.#descriptor;
    const isOver = () => this.#descriptor !== descriptor || descriptor === -1;
    if (isOver()) return;
    try {
      await promisify(fdatasync)(descriptor);
      if (!isOver()) this.#takeNote(bytes);
    } catch (error) {
      if (!isOver()) throw unwritable(error);
    }
  }

  close(): void {
    if (this.#descriptor !== -1) closeSync(this.#descriptor);
    this.#descriptor = -1;
  }

  /** Closes the file. Keeps it for a later try if it has a note, otherwise removes it. */
  release(): void {
    if (this.#noted) this.close();
    else this.discard();
  }

  /** Closes and removes the file. */
  discard(): void {
    this.close();
    rmSync(this.#path, { force: true });
    this.forget();
  }

  /** Removes the note. */
  forget(): void {
    if (this.#noted) rmSync(this.#note, { force: true });
    this.#noted = false;
  }

  /** Takes over the file of an earlier try under a new name. The earlier holder can then no longer place it. */
  #adopt(): number {
    const note = readNote(this.#note);
    if (note?.identity !== this.#identity) return 0;
    try {
      renameSync(join(dirname(this.#note), basename(note.name)), this.#path);
    } catch (error) {
      if ((error as { code?: string }).code === "ENOENT") return 0;
      throw error;
    }
    this.#takeNote(note.bytes);
    return note.bytes;
  }

  #takeNote(bytes: number): void {
    const kept: PartialFile = { identity: this.#identity, name: basename(this.#path), bytes };
    writeFileSync(`${this.#note}.new`, JSON.stringify(kept));
    renameSync(`${this.#note}.new`, this.#note);
    this.#noted = true;
  }
}

function readNote(file: string): PartialFile | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    const note = JSON.parse(text) as Partial<PartialFile> | null;
    if (typeof note?.name === "string" && typeof note.bytes === "number") return note as PartialFile;
  } catch {
    // The note was truncated by a power loss. The content is read again.
  }
  return undefined;
}

/** @throws the file system's error */
export function writeWhole(descriptor: number, chunk: Uint8Array, at: number): void {
  for (let done = 0; done < chunk.length; ) {
    done += writeSync(descriptor, chunk, done, chunk.length - done, at + done);
  }
}
