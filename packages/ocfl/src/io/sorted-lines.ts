import { type FileHandle, open, rm } from "node:fs/promises";

/** Number of UTF-16 code units in memory before they are written to disk as a sorted run. */
const RUN_LENGTH = 4 << 20;
/** Number of bytes of a run that are read at a time. */
const READ_BYTES = 64 * 1024;
/** Number of lines that are returned at a time. */
const HANDED = 1_000;

/** A sorted section of the scratch file. */
interface Run {
  offset: number;
  end: number;
}

/**
 * Sorts any number of lines by UTF-16 code units with constant memory: sorted runs are written to a scratch file and
 * merged when they are read. The scratch file need not be durable, because lines are collected again after a crash.
 */
export class SortedLines {
  readonly #file: string;
  readonly #handle: FileHandle;
  readonly #runs: Run[] = [];
  #lines: string[] = [];
  #length = 0;
  #end = 0;
  #writing: Promise<void> = Promise.resolve();

  private constructor(file: string, handle: FileHandle) {
    this.#file = file;
    this.#handle = handle;
  }

  static async create(file: string): Promise<SortedLines> {
    return new SortedLines(file, await open(file, "w+"));
  }

  /** Adds a line without its line feed. A returned promise is back pressure, and reports a failed write. */
  add(line: string): Promise<void> | undefined {
    this.#lines.push(line);
    this.#length += line.length;
    return this.#length < RUN_LENGTH ? undefined : this.#flush();
  }

  /** All lines in order, in batches. May be called again, also after more lines were added. */
  async *sorted(): AsyncGenerator<string[]> {
    if (this.#runs.length > 0) {
      await this.#flush();
      yield* this.#merged();
      return;
    }
    this.#lines.sort();
    for (let at = 0; at < this.#lines.length; at += HANDED) yield this.#lines.slice(at, at + HANDED);
  }

  /** Closes and removes the scratch file. Idempotent. */
  async discard(): Promise<void> {
    await this.#writing.catch(() => undefined);
    await this.#handle.close();
    await rm(this.#file, { force: true });
  }

  /**
   * Writes a run. Positions of runs are assigned at once and runs are written one after another, so callers need not
   * wait for each other.
   */
  #flush(): Promise<void> {
    if (this.#lines.length === 0) return this.#writing;
    const bytes = Buffer.from(`${this.#lines.sort().join("\n")}\n`);
    const offset = this.#end;
    this.#end += bytes.length;
    this.#runs.push({ offset, end: this.#end });
    this.#lines = [];
    this.#length = 0;
    this.#writing = this.#writing.then(() => writeWhole(this.#handle, bytes, offset));
    // A later flush reports the failure. Until then it must not count as unhandled.
    this.#writing.catch(() => undefined);
    return this.#writing;
  }

  async *#merged(): AsyncGenerator<string[]> {
    const heads: RunReader[] = [];
    for (const run of this.#runs) {
      const reader = new RunReader(this.#handle, run);
      if (await reader.next()) insert(heads, reader);
    }
    let handed: string[] = [];
    for (let first = heads.pop(); first !== undefined; first = heads.pop()) {
      handed.push(first.line);
      if (first.nextAtHand() || (await first.next())) insert(heads, first);
      if (handed.length === HANDED) {
        yield handed;
        handed = [];
      }
    }
    if (handed.length > 0) yield handed;
  }
}

/** Inserts a reader at its position among others. The last reader has the first line. */
function insert(heads: RunReader[], reader: RunReader): void {
  let from = 0;
  for (let to = heads.length; from < to; ) {
    const middle = (from + to) >>> 1;
    if ((heads[middle] as RunReader).line > reader.line) from = middle + 1;
    else to = middle;
  }
  heads.splice(from, 0, reader);
}

/** Iterates over the lines of one run. */
class RunReader {
  readonly #handle: FileHandle;
  readonly #bytes = Buffer.allocUnsafe(READ_BYTES);
  readonly #end: number;
  #offset: number;
  /** The beginning of a line that a later read completes. */
  #rest: Buffer[] = [];
  #lines: string[] = [];
  #at = -1;

  constructor(handle: FileHandle, { offset, end }: Run) {
    this.#handle = handle;
    this.#offset = offset;
    this.#end = end;
  }

  /** The current line, after a call of `next` or `nextAtHand` has returned true. */
  get line(): string {
    return this.#lines[this.#at] ?? "";
  }

  /** Moves to the next line if it is in memory. */
  nextAtHand(): boolean {
    return ++this.#at < this.#lines.length;
  }

  /** Reads more lines. Returns false at the end of the run. */
  async next(): Promise<boolean> {
    for (this.#lines = []; this.#lines.length === 0; ) {
      const wanted = Math.min(READ_BYTES, this.#end - this.#offset);
      if (wanted === 0) return false;
      const { bytesRead } = await this.#handle.read(this.#bytes, 0, wanted, this.#offset);
      if (bytesRead === 0) throw new Error("The scratch file ended early");
      this.#offset += bytesRead;
      this.#take(this.#bytes.subarray(0, bytesRead));
    }
    this.#at = 0;
    return true;
  }

  #take(bytes: Buffer): void {
    const last = bytes.lastIndexOf("\n");
    if (last === -1) {
      this.#rest.push(Buffer.from(bytes));
      return;
    }
    this.#lines = Buffer.concat([...this.#rest, bytes.subarray(0, last)])
      .toString()
      .split("\n");
    this.#rest = last + 1 < bytes.length ? [Buffer.from(bytes.subarray(last + 1))] : [];
  }
}

async function writeWhole(handle: FileHandle, chunk: Buffer, offset: number): Promise<void> {
  for (let done = 0; done < chunk.length; ) {
    done += (await handle.write(chunk, done, chunk.length - done, offset + done)).bytesWritten;
  }
}
