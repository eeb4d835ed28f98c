import { randomUUID } from "node:crypto";
import { type FileRef, segmentsOf, takeFile, type UploadFileRow } from "../db/uploads/files.ts";
import { isPart } from "../db/uploads/part-paths.ts";
import { releaseFile } from "../db/uploads/release-file.ts";
import { Problem } from "../domain/problems.ts";
import { type ComparisonParts, Comparisons, filePartsOf } from "./comparisons.ts";
import { FileHashing } from "./file-hashing.ts";
import { wrongOffset } from "./offset.ts";
import { type Checksum, Receiving, type Segment, tooLong } from "./receiving.ts";
import { SentBody } from "./sent-body.ts";
import type { UploadFolder } from "./upload-folder.ts";

/** Bytes that a request adds to a file. */
export interface Addition {
  /** The number of bytes that the client has sent before. */
  from: number;
  /** The number of bytes of the request, if it states it. */
  bytes: number | undefined;
  body: AsyncIterable<Uint8Array>;
  /** A digest of these bytes: if it does not match, none of them counts. */
  checksum?: Checksum | undefined;
}

/** A request for a file that has begun; without `receiving` if the file has all its bytes. */
interface Begun {
  row: UploadFileRow;
  receiving: Receiving | undefined;
}

/**
 * Receives the bytes of files. Within one process, a later request for the same file ends the earlier one and then begins; between
 * processes, the database decides, and the earlier request learns it when it records. When all bytes have arrived, their SHA-512 is
 * computed and compared with the one that the client has stated. Until this is done, the last byte does not count: a client that is not
 * answered in time sends it again, and waits again.
 */
export class Receiver {
  readonly folder: UploadFolder;
  readonly #parts: ComparisonParts;
  readonly #beginning = new Map<string, Promise<Begun>>();
  readonly #receiving = new Map<string, Receiving>();
  readonly #comparisons: Comparisons;

  constructor(parts: ComparisonParts) {
    this.#parts = parts;
    this.folder = parts.folder;
    this.#comparisons = new Comparisons(parts);
  }

  /**
   * Adds bytes to a file. What has arrived counts also if the connection breaks, and is durable when this resolves. A file that
   * differs from the digest that the client has stated starts again without any bytes.
   *
   * @returns the number of bytes that count; that of the whole file only if it is complete and compared
   * @throws Problem `not_found`, `upload_offset_wrong`, `upload_too_long`, `upload_taken_over`, `upload_checksum_wrong`,
   * `upload_digest_wrong`, `request_timeout`, `no_space`, `archive_unwritable`; `bad_request` if the connection breaks
   */
  async receive(ref: FileRef, addition: Addition): Promise<number> {
    const key = keyOf(ref);
    // One after the other, so that each interrupts the one before.
    const before = this.#beginning.get(key);
    const beginning = (async () => {
      await before?.catch(() => undefined);
      await this.#receiving.get(key)?.interrupt(new Problem("upload_taken_over"));
      return this.#begin(ref, addition);
    })();
    this.#beginning.set(key, beginning);
    let begun: Begun;
    try {
      begun = await beginning;
    } finally {
      if (this.#beginning.get(key) === beginning) this.#beginning.delete(key);
    }
    const { row, receiving } = begun;
    if (receiving === undefined) return this.#again(row, addition);
    try {
      await receiving.run(addition.checksum);
    } finally {
      if (this.#receiving.get(key) === receiving) this.#receiving.delete(key);
      // Also after the connection broke, so that the client finds a complete file.
      if (receiving.received === row.bytes) void this.#comparisons.begin(row, receiving.hashing);
      else receiving.hashing?.stop();
    }
    return receiving.received === row.bytes ? this.#comparisons.result(row) : receiving.received;
  }

  /**
   * Records what a request in this process has received of a file, so that a client that asks for the state learns it.
   * @throws the error of the database
   */
  async flush(ref: FileRef): Promise<void> {
    await this.#receiving.get(keyOf(ref))?.flush();
  }

  /** Does the same for the files of an area. @throws as {@link flush} */
  async flushArea(area: string): Promise<void> {
    await Promise.all(this.#receivingIn(area).map((receiving) => receiving.flush()));
  }

  /**
   * Ends the request that adds bytes to a file, in any process. What has arrived in this process counts.
   * @returns the file, whose number of bytes does not grow before another request begins; undefined if it does not exist
   */
  async finish(ref: FileRef): Promise<UploadFileRow | undefined> {
    await this.interrupt(ref, new Problem("upload_taken_over"));
    return releaseFile(this.#parts.db, ref);
  }

  /** Ends the request that adds bytes to a file in this process. */
  async interrupt(ref: FileRef, problem: Problem): Promise<void> {
    await this.#receiving.get(keyOf(ref))?.interrupt(problem);
  }

  /** Ends the requests that add bytes to files of an area in this process. */
  async interruptArea(area: string, problem: Problem): Promise<void> {
    await Promise.all(this.#receivingIn(area).map((receiving) => receiving.interrupt(problem)));
  }

  #receivingIn(area: string): Receiving[] {
    return [...this.#receiving].filter(([key]) => key.startsWith(`${area}/`)).map(([, receiving]) => receiving);
  }

  /** Ends all requests, so that what has arrived is recorded, and stops the comparisons. */
  async close(): Promise<void> {
    this.#comparisons.stop();
    const stopped = new Problem("request_timeout", "The service is stopping");
    await Promise.allSettled([...this.#receiving.values()].map((receiving) => receiving.interrupt(stopped)));
    await this.#comparisons.settled();
  }

  /** Takes the file for a request. @throws Problem as {@link receive} */
  async #begin(ref: FileRef, addition: Addition): Promise<Begun> {
    const writer = randomUUID();
    const { from: received, bytes: more = 0 } = addition;
    const taken = await takeFile(this.#parts.db, ref, { writer, received, more });
    if (taken === undefined) throw new Problem("not_found");
    const { row, last } = taken;
    if (row.completed_at !== null || row.received === row.bytes) return { row, receiving: undefined };
    if (row.received !== received) throw wrongOffset(row, received);
    if (received + more > row.bytes) throw tooLong(row);
    const segment =
      last === undefined
        ? { name: `${row.no}-${randomUUID()}`, start: row.received, bytes: 0 }
        : { name: last.name, start: last.start_at, bytes: last.bytes };
    const hashing = await this.#hashing(ref, row, { addition, segment });
    const body = new SentBody(addition.body);
    const receiving = new Receiving(this.#parts, row, { writer, body, segment, hashing });
    this.#receiving.set(keyOf(ref), receiving);
    return { row, receiving };
  }

  /** The bytes before are hashed only once: by the request that probably sends the last ones. */
  async #hashing(
    ref: FileRef,
    row: UploadFileRow,
    { addition, segment }: { addition: Addition; segment: Segment },
  ): Promise<FileHashing | undefined> {
    const isLast = addition.bytes === undefined ? row.received === 0 : addition.from + addition.bytes === row.bytes;
    // Parts are hashed when they are joined.
    if (!isLast || isPart(row)) return undefined;
    const before = row.received > 0 ? await segmentsOf(this.#parts.db, ref) : [];
    const parts = filePartsOf(this.folder, before);
    if (segment.bytes === 0) parts.push({ path: this.folder.pathOf(ref.area, segment.name), from: segment.start });
    return new FileHashing(this.#parts.hashers, parts, { bytes: row.bytes, isFresh: row.received === 0 });
  }

  /**
   * Compares a file that has all its bytes with its digest, if it was not compared: its parts were joined, or the process that compared
   * it has ended. Waits for a while.
   * @returns the number of bytes that count, as {@link receive} @throws Problem `upload_digest_wrong`, `not_found`
   */
  async compare(row: UploadFileRow): Promise<number> {
    return row.completed_at === null ? this.#comparisons.result(row) : row.bytes;
  }

  /**
   * Begins to compare joined files of an area whose comparison has ended with its process, and does not wait for it.
   * @throws the error of the database
   */
  async compareArea(area: string): Promise<void> {
    await this.#comparisons.beginIn(area);
  }

  /** Answers a client that has not learned that all bytes have arrived. It may send the last byte again, and nothing else. */
  async #again(row: UploadFileRow, { from, body }: Addition): Promise<number> {
    if (from !== row.bytes && from !== row.bytes - 1) throw wrongOffset(row, from);
    let at = from;
    for await (const chunk of new SentBody(body)) {
      at += chunk.length;
      if (at > row.bytes) throw tooLong(row);
    }
    return this.compare(row);
  }
}

const keyOf = ({ area, no }: FileRef): string => `${area}/${no}`;
