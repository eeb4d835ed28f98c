import { COPY_LOCK, CopyLock } from "../copying/copy-lock.ts";
import type { CopyTarget } from "../copying/copy-target.ts";
import { Bucket } from "./bucket.ts";
import type { S3Location } from "./layout.ts";
import { S3Reader } from "./reader.ts";
import { makeS3Root } from "./root.ts";
import { putStream } from "./uploads/put-file.ts";
import { abortUploads } from "./uploads/uploads.ts";
import { isVisible, removeInvisible } from "./visibility.ts";

const CONNECTIONS = 16;
const ROOT_INVENTORY = /^(.+\/[0-9a-f]{128})\/inventory\.json$/;

/**
 * An archive in an object store. A dataset is written to its final path, and is visible when its root inventory is
 * written.
 */
export class S3Target extends S3Reader implements CopyTarget {
  readonly #bucket: Bucket;
  readonly #renewMs: number | undefined;
  #lock: CopyLock | undefined;

  private constructor(bucket: Bucket, renewMs: number | undefined) {
    super(bucket);
    this.#bucket = bucket;
    this.#renewMs = renewMs;
  }

  /** @param renewMs see copy-lock.ts */
  static async open(place: S3Location, renewMs?: number): Promise<S3Target> {
    return new S3Target(await Bucket.open(place, CONNECTIONS), renewMs);
  }

  async prepare(): Promise<void> {
    const bucket = this.#bucket;
    const file = {
      read: () => bucket.text(COPY_LOCK),
      write: (text: string) => bucket.put(COPY_LOCK, text),
      remove: () => bucket.remove([COPY_LOCK]),
    };
    this.#lock = await CopyLock.take(file, this.#renewMs);
    await makeS3Root(bucket);
  }

  async put(path: string, bytes: number, content: AsyncIterable<Uint8Array>): Promise<void> {
    const object = ROOT_INVENTORY.exec(path)?.[1];
    if (object !== undefined) await this.#requireInvisible(object);
    await putStream(this.#bucket.under(this.#own.lease), path, bytes, content);
  }

  async begin(object: string): Promise<void> {
    await this.#requireInvisible(object);
    await this.drop(object);
    await this.#requireInvisible(object);
  }

  async publish(): Promise<void> {}

  async drop(object: string): Promise<void> {
    await this.#own.lease.held();
    if (await isVisible(this.#bucket, object)) return;
    await abortUploads(this.#bucket, `${object}/`, "below");
    await removeInvisible(this.#bucket, object);
  }

  async close(): Promise<void> {
    await this.#lock?.release();
    this.#bucket.close();
  }

  get #own(): CopyLock {
    if (this.#lock === undefined) throw new Error("The target was not prepared");
    return this.#lock;
  }

  async #requireInvisible(object: string): Promise<void> {
    if (await isVisible(this.#bucket, object))
      throw new Error(`${object} was added to the target by another process during the copy`);
  }
}
