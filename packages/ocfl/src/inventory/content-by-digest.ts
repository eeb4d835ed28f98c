import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { HashTable } from "../io/hash-table.ts";

/** Records begin at multiples of this number, so that their ordinals stay small. */
const STEP = 16;
/** Almost all paths are shorter. */
const USUAL_BYTES = 512;
const LINE_FEED = 0x0a;

/**
 * Finds content of earlier versions by its digest. The content paths are in a scratch file. Memory is about 50 bytes
 * for each digest, outside the JavaScript heap.
 */
export class ContentByDigest {
  readonly #file: string;
  readonly #descriptor: number;
  readonly #places = new HashTable();
  #end = 0;

  /** @param file in a scratch folder; it is created here and removed by {@link discard} */
  constructor(file: string) {
    this.#file = file;
    this.#descriptor = openSync(file, "wx+", 0o600);
  }

  /** Adds content; for each digest the first path is kept. @param entries digest in lower-case hexadecimal, and path */
  add(entries: readonly (readonly [digest: string, path: string])[]): void {
    const records: Buffer[] = [];
    for (const [digest, path] of entries) {
      if (this.#places.get(digest) !== undefined) continue;
      // A path in JSON is always one line.
      const line = Buffer.from(`${JSON.stringify(path)}\n`);
      const record = Buffer.alloc(Math.ceil(line.length / STEP) * STEP, LINE_FEED);
      line.copy(record);
      this.#places.set(digest, this.#end / STEP);
      this.#end += record.length;
      records.push(record);
    }
    const all = Buffer.concat(records);
    for (let done = 0; done < all.length; ) done += writeSync(this.#descriptor, all, done);
  }

  /** The content path of this digest, relative to the object's folder; undefined if there is none. */
  find(digest: string): string | undefined {
    const place = this.#places.get(digest);
    if (place === undefined) return undefined;
    for (let length = USUAL_BYTES; ; length *= 4) {
      const buffer = Buffer.allocUnsafe(length);
      const read = readSync(this.#descriptor, buffer, 0, length, place * STEP);
      const end = buffer.subarray(0, read).indexOf(LINE_FEED);
      if (end >= 0) return JSON.parse(buffer.toString("utf8", 0, end)) as string;
      if (read < length) throw new Error("The scratch file is shorter than the data that was written");
    }
  }

  discard(): void {
    closeSync(this.#descriptor);
    rmSync(this.#file, { force: true });
  }
}
