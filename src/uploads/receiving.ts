import { createHash, type Hash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { throwUnwritable } from "../archive/folder/durable-writes.ts";
import type { SpaceReservation } from "../archive/store.ts";
import type { Queries } from "../db/database.ts";
import { type FileRef, recordProgress, requireWriter, type UploadFileRow } from "../db/uploads/files.ts";
import { bytesOfSegment } from "../db/uploads/segments.ts";
import { inMessage } from "../domain/in-message.ts";
import { Problem } from "../domain/problems.ts";
import type { FileHashing } from "./file-hashing.ts";
import type { SentBody } from "./sent-body.ts";
import type { UploadFolder } from "./upload-folder.ts";

/** A digest of the bytes of one request. */
export interface Checksum {
  algorithm: "md5" | "sha1" | "sha256" | "sha512";
  digest: Buffer;
}

/** Bytes after which what has arrived becomes durable, while more arrives. A crash loses at most twice as many of a request without a checksum. */
const RECORD_BYTES = 64 * 1024 * 1024;
/** Bytes that are written at once, if they arrive faster than they are written. */
const WRITE_BYTES = 256 * 1024;
/** Bytes for which space is reserved at once, so that no client holds space for a file that it does not send. */
const HOLD_BYTES = 64 * 1024 * 1024;

/** Dependencies of a request that sends bytes. */
interface Parts {
  db: Queries;
  folder: UploadFolder;
}

/** The stored file to which a request writes. */
export interface Segment {
  name: string;
  /** Position of its first byte in the uploaded file. */
  start: number;
  /** Bytes that it has already; 0 if it is to be created. */
  bytes: number;
}

/**
 * A request that adds bytes to a file. It writes them to a segment that no other request can write: a new stored file, or the
 * last one if the request that wrote it has ended. The bytes count when they are durable and recorded in the database, which is
 * refused once another request has taken the file.
 */
export class Receiving {
  /** Computes the digest of the file while its last segment arrives; undefined if it is computed afterwards. */
  readonly hashing: FileHashing | undefined;
  readonly #parts: Parts;
  readonly #row: UploadFileRow;
  readonly #writer: string;
  readonly #body: SentBody;
  readonly #segment: Segment;
  readonly #done = Promise.withResolvers<void>();
  #handle: FileHandle | undefined;
  #hold: SpaceReservation | undefined;
  #held = 0;
  /** Bytes of this request that are written, and that are recorded. */
  #written = 0;
  #recorded = 0;
  #recording: Promise<void> = Promise.resolve();
  #meanwhile: Promise<void> | undefined;
  /** An error of the disk. It stays, because a later sync may succeed without these bytes. */
  #unsynced: { error: unknown } | undefined;
  /** Another request has taken the file, and none continues this segment. */
  #isTakenOver = false;
  /** Bytes are not recorded before the checksum of the request is compared. */
  #isWhole = false;

  /** @param row the file, of which `writer` is this request */
  constructor(
    parts: Parts,
    row: UploadFileRow,
    request: { writer: string; body: SentBody; segment: Segment; hashing: FileHashing | undefined },
  ) {
    this.#parts = parts;
    this.#row = row;
    this.#writer = request.writer;
    this.#body = request.body;
    this.#segment = request.segment;
    this.hashing = request.hashing;
  }

  /** The number of bytes that the file has with those that were recorded. */
  get received(): number {
    return this.#row.received + this.#recorded;
  }

  /** Ends the request. Resolves when what has arrived is recorded. */
  async interrupt(problem: Problem): Promise<void> {
    this.#body.interrupt(problem);
    await this.#done.promise;
  }

  /** Makes durable and records what has arrived, while the request continues. @throws the error of the database */
  async flush(): Promise<void> {
    if (this.#isWhole || this.#handle === undefined) return;
    await this.#record(false).catch((error: unknown) => {
      // The request itself answers with the problem, and the database has the state.
      if (!(error instanceof Problem)) throw error;
    });
  }

  /**
   * Receives all bytes. What has arrived counts also if the connection breaks; with a checksum, only if all arrived and match it.
   * @throws Problem; `bad_request` if the connection breaks
   */
  async run(checksum: Checksum | undefined): Promise<void> {
    this.#isWhole = checksum !== undefined;
    const digest = checksum === undefined ? undefined : createHash(checksum.algorithm);
    let broken: { error: unknown } | undefined;
    try {
      await this.#write(digest).catch((error: unknown) => {
        broken = { error };
      });
      this.#hold?.release();
      if (checksum !== undefined && broken === undefined && !digest?.digest().equals(checksum.digest)) {
        broken = { error: new Problem("upload_checksum_wrong") };
      }
      await this.#recording.catch(() => undefined);
      // Nothing of a request that sends more than the file has is trusted, except what was recorded before.
      if (broken !== undefined && (this.#isWhole || isTooLong(broken.error))) this.#written = this.#recorded;
      await this.#record(true).catch((error: unknown) => {
        // If the file was taken or removed, the request was ended with the better reason.
        if (broken === undefined || !(error instanceof Problem)) broken = { error };
      });
      if (broken !== undefined) throw broken.error;
    } finally {
      await this.#close().finally(() => this.#done.resolve());
    }
  }

  async #write(digest: Hash | undefined): Promise<void> {
    let unchecked = 0;
    for await (const chunks of this.#body.collected(WRITE_BYTES)) {
      const bytes = chunks.reduce((sum, { length }) => sum + length, 0);
      const before = this.#row.received + this.#written;
      if (before + bytes > this.#row.bytes) throw tooLong(this.#row);
      await this.#reserve(bytes);
      await this.#append(chunks, bytes);
      let reached = before;
      for (const chunk of chunks) {
        reached += chunk.length;
        digest?.update(chunk);
        this.hashing?.add(chunk, reached);
      }
      unchecked += bytes;
      if (unchecked < RECORD_BYTES) continue;
      unchecked = 0;
      if (this.#isWhole) await requireWriter(this.#parts.db, this.#ref, this.#writer);
      else await this.#recordMeanwhile();
    }
  }

  get #ref(): FileRef {
    return { area: this.#row.area_id, no: this.#row.no };
  }

  /** Space in steps. */
  async #reserve(bytes: number): Promise<void> {
    if (this.#held < bytes) {
      this.#hold?.release();
      this.#held = 0;
      const left = this.#row.bytes - this.#row.received - this.#written;
      const step = Math.max(bytes, Math.min(HOLD_BYTES, left));
      this.#hold = await this.#parts.folder.hold(step);
      this.#held = step;
    }
    this.#hold?.use(bytes);
    this.#held -= bytes;
  }

  async #append(chunks: readonly Uint8Array[], length: number): Promise<void> {
    const { name, bytes } = this.#segment;
    this.#handle ??= await this.#parts.folder[bytes === 0 ? "create" : "open"](this.#row.area_id, name);
    let done = 0;
    for (let rest = chunks; done < length; ) {
      const { bytesWritten } = await this.#handle.writev(rest, bytes + this.#written + done).catch(throwUnwritable);
      done += bytesWritten;
      rest = withoutBeginning(rest, bytesWritten);
    }
    this.#written += length;
  }

  /** Records while more arrives, after the time before has ended. @throws the error of the time before */
  async #recordMeanwhile(): Promise<void> {
    await this.#meanwhile;
    this.#meanwhile = this.#record(false);
    // It is noticed the next time, or at the end, when the rest is recorded.
    this.#meanwhile.catch(() => undefined);
  }

  /** One after the other, because a client that asks for the state records, too. Each gets the error of its recording. */
  #record(isEnd: boolean): Promise<void> {
    this.#recording = this.#recording.catch(() => undefined).then(() => this.#recordNow(isEnd));
    return this.#recording;
  }

  async #recordNow(isEnd: boolean): Promise<void> {
    const { name, start } = this.#segment;
    const written = this.#written;
    if (written === this.#recorded && !isEnd) return;
    if (written > this.#recorded) await this.#sync(name);
    const segment = { start_at: start, name };
    const progress = { writer: this.#writer, segment, received: this.#row.received + written, isEnd };
    try {
      this.#recorded = (await recordProgress(this.#parts.db, this.#ref, progress)) - this.#row.received;
    } catch (error) {
      this.#isTakenOver = error instanceof Problem && error.code === "upload_taken_over";
      throw error;
    }
  }

  async #sync(name: string): Promise<void> {
    if (this.#unsynced !== undefined) throw this.#unsynced.error;
    await this.#parts.folder.sync(this.#row.area_id, [name]).catch((error: unknown) => {
      this.#unsynced = { error };
      throw error;
    });
  }

  /** Removes the segment if nothing of it counts. If the file was taken over, removes the bytes of the segment that do not count. */
  async #close(): Promise<void> {
    this.#hold?.release();
    if (this.#handle === undefined) return;
    await using handle = this.#handle;
    const { name, bytes } = this.#segment;
    if (bytes + this.#recorded > 0 && !this.#isTakenOver) return;
    // After an error, it is not certain what was recorded. If the database does not answer, the segment stays.
    const counting = await bytesOfSegment(this.#parts.db, this.#row.area_id, name).catch(() => undefined);
    if (counting === 0) await this.#parts.folder.remove(this.#row.area_id, [name]);
    else if (this.#isTakenOver && counting !== undefined) await handle.truncate(counting).catch(throwUnwritable);
  }
}

/** What is left of chunks after the first bytes of them. */
function withoutBeginning(chunks: readonly Uint8Array[], bytes: number): Uint8Array[] {
  let left = bytes;
  return chunks.flatMap((chunk) => {
    const skipped = Math.min(left, chunk.length);
    left -= skipped;
    return skipped === chunk.length ? [] : [chunk.subarray(skipped)];
  });
}

/** Bytes were sent that the file does not have. */
export function tooLong({ path, bytes }: UploadFileRow): Problem {
  return new Problem("upload_too_long", `“${inMessage(path)}” has ${bytes} bytes, and more were sent`);
}

function isTooLong(error: unknown): boolean {
  return error instanceof Problem && error.code === "upload_too_long";
}
