import { Readable } from "node:stream";
import type { ArchivedFile, ArchiveReader, ByteRange } from "../reader.ts";
import type { Bucket } from "./bucket.ts";

const TRIES = 5;

/** An archive in an object store. */
export class S3Reader implements ArchiveReader {
  readonly #bucket: Bucket;

  constructor(bucket: Bucket) {
    this.#bucket = bucket;
  }

  async *list(below: string): AsyncGenerator<ArchivedFile> {
    const folder = below === "" || below.endsWith("/") ? below : `${below}/`;
    for await (const page of this.#bucket.pages(folder)) yield* page;
  }

  async *names(below: string): AsyncGenerator<string> {
    for await (const { path } of this.list(below)) yield path;
  }

  async read(path: string, range?: ByteRange): Promise<Readable> {
    return Readable.from(this.#bytes(path, range), { objectMode: false, highWaterMark: 1 << 20 });
  }

  size(path: string): Promise<number | undefined> {
    return this.#bucket.size(path);
  }

  /** Reads an object. Continues after a lost connection if the object has not changed. */
  async *#bytes(path: string, { from: start, to }: Partial<ByteRange> = {}): AsyncGenerator<Uint8Array> {
    let etag: string | undefined;
    let at = start ?? 0;
    for (let failures = 0; ; ) {
      const got = await this.#bucket.get(path, { from: at, ...(to !== undefined && { to }) });
      if (got === undefined)
        throw Object.assign(new Error(`${path} does not exist in the archive`), { code: "ENOENT" });
      if (etag !== undefined && got.etag !== etag) throw new Error(`${path} was replaced while it was read`);
      etag = got.etag;
      try {
        for await (const chunk of got.body) {
          at += (chunk as Uint8Array).length;
          failures = 0;
          yield chunk as Uint8Array;
        }
        return;
      } catch (error) {
        failures++;
        if (failures >= TRIES) throw error;
      }
    }
  }
}
