import type { CopyTarget } from "../copy-target.ts";
import { Bucket } from "./bucket.ts";
import type { S3Place } from "./place.ts";
import { putStream } from "./put-file.ts";
import { S3Reader } from "./reader.ts";
import { makeS3Root } from "./root.ts";
import { abortUploads } from "./uploads.ts";

const CONNECTIONS = 16;

/** An archive in an object store: a dataset gathers at its place, and is visible once its root inventory is put. */
export class S3Target extends S3Reader implements CopyTarget {
  readonly #bucket: Bucket;

  private constructor(bucket: Bucket) {
    super(bucket);
    this.#bucket = bucket;
  }

  static async open(place: S3Place): Promise<S3Target> {
    return new S3Target(await Bucket.open(place, CONNECTIONS));
  }

  prepare(): Promise<void> {
    return makeS3Root(this.#bucket);
  }

  async put(path: string, bytes: number, content: AsyncIterable<Uint8Array>): Promise<void> {
    await putStream(this.#bucket, path, bytes, content);
  }

  begin(object: string): Promise<void> {
    return this.drop(object);
  }

  async publish(): Promise<void> {}

  async drop(object: string): Promise<void> {
    await abortUploads(this.#bucket, `${object}/`, "below");
    await this.#bucket.removeBelow(`${object}/`);
  }

  async close(): Promise<void> {
    this.#bucket.close();
  }
}
