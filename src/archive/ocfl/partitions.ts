import { type FileHandle, open, rm } from "node:fs/promises";

/** Where a stretch of one partition lies in the scratch file. */
interface Segment {
  offset: number;
  length: number;
}

const PARTITIONS = 256;
/** Bytes held in memory over all partitions before they go to disk. */
const BATCH = 4 << 20;
/** UTF-8 takes at most three bytes for a UTF-16 code unit. */
const WORST = 3;

/** The lines gathered since the last batch went to disk, in the order they came. */
class Batch {
  readonly bytes = Buffer.allocUnsafe(BATCH);
  filled = 0;
  /** For every line its partition and where it ends. */
  partitions: number[] = [];
  ends: number[] = [];

  clear(): void {
    this.filled = 0;
    this.partitions = [];
    this.ends = [];
  }
}

/**
 * Sorts any number of lines by a key into 256 partitions, in flat memory: one scratch file, appended in large
 * batches, and a list of which stretch belongs to which partition. Scratch is not durable and needs not be: after a
 * crash the lines are gathered again.
 */
export class Partitions {
  readonly #file: string;
  readonly #handle: FileHandle;
  readonly #segments: Segment[][] = Array.from({ length: PARTITIONS }, () => []);
  readonly #batch = new Batch();
  #end = 0;
  #writing: Promise<void> = Promise.resolve();

  private constructor(file: string, handle: FileHandle) {
    this.#file = file;
    this.#handle = handle;
  }

  static async create(file: string): Promise<Partitions> {
    return new Partitions(file, await open(file, "w+"));
  }

  /** Takes a line that ends with a line feed. A returned promise is back pressure, and carries a failed write. */
  add(partition: number, line: string): Promise<void> | undefined {
    const worst = line.length * WORST;
    if (worst > BATCH) throw new Error("The line is too long");
    const flushed = worst > BATCH - this.#batch.filled ? this.#flush() : undefined;
    const batch = this.#batch;
    batch.filled += batch.bytes.write(line, batch.filled);
    batch.partitions.push(partition);
    batch.ends.push(batch.filled);
    return flushed;
  }

  /** The lines of one partition after another without their line feeds, each partition sorted by UTF-16 code units. */
  async *sorted(): AsyncGenerator<string[]> {
    await this.#flush();
    for (const segments of this.#segments) {
      const length = segments.reduce((sum, segment) => sum + segment.length, 0);
      if (length === 0) continue;
      const bytes = Buffer.allocUnsafe(length);
      let at = 0;
      for (const segment of segments) {
        await readWhole(this.#handle, bytes.subarray(at, at + segment.length), segment.offset);
        at += segment.length;
      }
      yield bytes
        .toString("utf8", 0, length - 1)
        .split("\n")
        .sort();
    }
  }

  /** Closes and removes the scratch file. Idempotent. */
  async discard(): Promise<void> {
    await this.#writing.catch(() => undefined);
    await this.#handle.close();
    await rm(this.#file, { force: true });
  }

  /** Batches are cut and placed at once and written one after another, so callers need not wait for each other. */
  #flush(): Promise<void> {
    const start = this.#end;
    const ordered = this.#place(this.#batch);
    this.#batch.clear();
    this.#writing = this.#writing.then(() => writeWhole(this.#handle, ordered, start));
    // The failure reaches whoever awaits a later flush; here it must only not count as unhandled.
    this.#writing.catch(() => undefined);
    return this.#writing;
  }

  /** A counting sort: the batch's lines brought together by partition, each partition's place noted. */
  #place(batch: Batch): Buffer {
    const lengths = new Array<number>(PARTITIONS).fill(0);
    let begin = 0;
    for (const [line, end] of batch.ends.entries()) {
      const partition = batch.partitions[line] ?? 0;
      lengths[partition] = (lengths[partition] ?? 0) + end - begin;
      begin = end;
    }
    const next: number[] = [];
    let offset = 0;
    for (const [partition, length] of lengths.entries()) {
      next.push(offset);
      if (length > 0) this.#segments[partition]?.push({ offset: this.#end + offset, length });
      offset += length;
    }
    const ordered = Buffer.allocUnsafe(offset);
    begin = 0;
    for (const [line, end] of batch.ends.entries()) {
      const partition = batch.partitions[line] ?? 0;
      const at = next[partition] ?? 0;
      batch.bytes.copy(ordered, at, begin, end);
      next[partition] = at + end - begin;
      begin = end;
    }
    this.#end += offset;
    return ordered;
  }
}

async function readWhole(handle: FileHandle, target: Buffer, offset: number): Promise<void> {
  for (let done = 0; done < target.length; ) {
    const { bytesRead } = await handle.read(target, done, target.length - done, offset + done);
    if (bytesRead === 0) throw new Error("The scratch file ended early");
    done += bytesRead;
  }
}

async function writeWhole(handle: FileHandle, chunk: Buffer, offset: number): Promise<void> {
  for (let done = 0; done < chunk.length; ) {
    done += (await handle.write(chunk, done, chunk.length - done, offset + done)).bytesWritten;
  }
}
