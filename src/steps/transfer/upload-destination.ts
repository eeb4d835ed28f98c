import type { S3ContentWriter } from "../../archive/s3/content-writer.ts";
import type { S3Upload } from "../../archive/s3/uploads/upload.ts";
import { type DigestResult, type StatedDigests, StreamingDigests } from "../../source/reading/digests.ts";
import type { Destination } from "../../source/reading/read-object.ts";
import type { WantedObject } from "./messages.ts";

/**
 * A large object's bytes on their way into an object store, hashed as they pass. What an earlier try has sent is of no
 * use: the state of a hash cannot be kept, and reading the parts again from the store would cost more than from the source.
 */
export class UploadDestination implements Destination {
  readonly kept = 0;
  readonly #writer: S3ContentWriter;
  readonly #object: WantedObject;
  readonly #signal: AbortSignal;
  #upload: S3Upload | undefined;
  #place: string | null = null;
  #digests: StreamingDigests | undefined;

  constructor(writer: S3ContentWriter, object: WantedObject, signal: AbortSignal) {
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
    if (upload === undefined || this.#digests === undefined) throw new Error("Nothing was read");
    await upload.complete();
    return this.#digests.finish(() => upload.readBack());
  }

  /** Where the object lies. */
  place(): string | null {
    return this.#place;
  }

  /** Gives the upload up, unless it is complete. */
  async leave(): Promise<void> {
    await this.#upload?.abandon();
  }
}
