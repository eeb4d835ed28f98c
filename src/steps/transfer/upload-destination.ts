import type { S3ContentWriter } from "../../archive/s3/content-writer.ts";
import type { S3Upload } from "../../archive/s3/uploads/upload.ts";
import type { ObjectRecord } from "../../db/chunks/objects.ts";
import { type DigestResult, type StatedDigests, StreamingDigests } from "../../source/reading/digests.ts";
import type { Destination } from "../../source/source.ts";

/**
 * Uploads a large object to an object store, and hashes it at the same time. Parts of an earlier try are not reused: the
 * state of a hash cannot be saved, and reading the parts back from the store costs more than reading the source again.
 */
export class UploadDestination implements Destination {
  readonly kept = 0;
  readonly #writer: S3ContentWriter;
  readonly #object: ObjectRecord;
  readonly #signal: AbortSignal;
  #upload: S3Upload | undefined;
  #place: string | null = null;
  #digests: StreamingDigests | undefined;

  constructor(writer: S3ContentWriter, object: ObjectRecord, signal: AbortSignal) {
    this.#writer = writer;
    this.#object = object;
    this.#signal = signal;
  }

  begin(offers: StatedDigests): void {
    const { key, odd, bytes } = this.#object;
    void this.#upload?.abandon();
    const { upload, place } = this.#writer.upload(key, odd, bytes, this.#signal);
    this.#upload = upload;
    this.#place = place;
    this.#digests = new StreamingDigests(offers);
  }

  write(at: number, chunk: Uint8Array): void {
    this.#upload?.write(at, chunk);
  }

  reached(place: number): void {
    for (const piece of this.#upload?.reached(place) ?? []) this.#digests?.update(piece);
  }

  waitForCapacity(place: number): Promise<void> | undefined {
    return this.#upload?.waitForCapacity(place);
  }

  async verdict(): Promise<DigestResult> {
    const upload = this.#upload;
    if (upload === undefined || this.#digests === undefined)
      throw new Error("The upload was finished before any byte was read");
    await upload.complete();
    return this.#digests.finish(() => upload.readBack());
  }

  /** Path of the uploaded object. */
  place(): string | null {
    return this.#place;
  }

  /** Aborts the upload, unless it is complete. */
  async leave(): Promise<void> {
    await this.#upload?.abandon();
  }
}
