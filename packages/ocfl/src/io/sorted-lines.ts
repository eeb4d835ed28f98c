import { type FileHandle, open, rm } from "node:fs/promises";

/** UTF-16 code units that are held in memory before they go to disk as a sorted run. */
const RUN_LENGTH = 4 << 20;
/** Bytes of a run that are read at a time. */
const READ_BYTES = 64 * 1024;
/** Lines that are returned at a time. */
const HANDED = 1_000;

/** A sorted stretch of the scratch file. */
interface Run {
  offset: number;
  end: number;
}

/**
 * Sorts any number of lines by UTF-16 code units in flat memory: runs that are sorted in memory go to a scratch file and
 * are merged when they are wanted. Scratch is not durable and needs not be: after a crash the lines are gathered again.
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

  /** Takes a line without its line feed. A returned promise is back pressure, and carries a failed write. */
  add(line: string): Promise<void> | undefined {
    this.#lines.push(line);
    this.#length += line.length;
    return this.#length < RUN_LENGTH ? undefined : this.#flush();
  }

  /** All lines in order, some at a time. May be called again, also after more lines were taken. */
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

  /** Runs are cut and placed at once and written one after another, so callers need not wait for each other. */
  #flush(): Promise<void> {
    if (this.#lines.length === 0) return this.#writing;
    const bytes = Buffer.from(`${this.#lines.sort().join("\n")}\n`);
    const offset = this.#end;
    this.#end += bytes.length;
    this.#runs.push({ offset, end: this.#end });
    this.#lines = [];
    this.#length = 0;
    this.#writing = this.#writing.then(() => writeWhole(this.#handle, bytes, offset));
    // The failure reaches whoever awaits a later flush; here it must only not count as unhandled.
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

/** Puts a reader where it belongs among others, of which the last has the first line. */
function insert(heads: RunReader[], reader: RunReader): void {
  let from = 0;
  for (let to = heads.length; from < to; ) {
    const middle = (from + to) >>> 1;
    if ((heads[middle] as RunReader).line > reader.line) from = middle + 1;
    else to = middle;
  }
  heads.splice(from, 0, reader);
}

/** Goes through the lines of one run. */
class RunReader {
  readonly #handle: FileHandle;
  readonly #bytes = Buffer.allocUnsafe(READ_BYTES);
  readonly #end: number;
  #offset: number;
  /** Of a line that a later read completes. */
  #rest: Buffer[] = [];
  #lines: string[] = [];
  #at = -1;

  constructor(handle: FileHandle, { offset, end }: Run) {
    this.#handle = handle;
    this.#offset = offset;
    this.#end = end;
  }

  /** The line at hand, once a call of `next` or `nextAtHand` has returned true. */
  get line(): string {
    return this.#lines[this.#at] ?? "";
  }

  /** Goes on to the next line if it is in memory. */
  nextAtHand(): boolean {
    return ++this.#at < this.#lines.length;
  }

  /** Reads on. False at the end of the run. */
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
