import type { Readable } from "node:stream";
import type { Lease } from "../lease.ts";
import type { ByteRange } from "../reader.ts";
import type { S3Location } from "./layout.ts";
import { Requests } from "./requests.ts";
import { loadSdk, makeClient } from "./sdk.ts";
import { storageProblem } from "./storage-problem.ts";

/** An object as a listing names it. */
export interface Listed {
  /** Below the archive's prefix. */
  path: string;
  bytes: number;
}

export interface ListOptions {
  /** Begin behind this path. */
  after?: string;
  signal?: AbortSignal | undefined;
}

/** Objects that one request can remove. */
const AT_ONCE = 1_000;

/**
 * The archive's bucket. Paths are those below the archive's prefix. Requests are tried several times; what is written is
 * durable and whole once a call has resolved, or is not there.
 *
 * @throws (every method) Problem `no_space`, `archive_unwritable`; the signal's reason
 */
export class Bucket extends Requests {
  /** @param connections most requests at a time */
  static async open(place: S3Location, connections: number): Promise<Bucket> {
    const sdk = await loadSdk();
    return new Bucket(place, sdk, makeClient(sdk, place, connections));
  }

  /** The same bucket for somebody who may write only as long as a lease holds; it is closed with this one. */
  under(lease: Lease): Bucket {
    return new Bucket(this.place, this.sdk, this.client, lease);
  }

  close(): void {
    this.client.destroy();
  }

  /** What requests about one object begin with. */
  at(path: string): { Bucket: string; Key: string } {
    return { Bucket: this.place.bucket, Key: this.keyOf(path) };
  }

  /** An object as requests that copy name it. */
  sourceOf(path: string): string {
    const { Bucket: bucket, Key } = this.at(path);
    return `${bucket}/${Key.split("/").map(encodeURIComponent).join("/")}`;
  }

  keyOf(path: string): string {
    return this.place.prefix === "" ? path : `${this.place.prefix}/${path}`;
  }

  pathOf(key: string): string {
    return this.place.prefix === "" ? key : key.slice(this.place.prefix.length + 1);
  }

  /** Puts a whole object at its place, over what lies there. */
  async put(path: string, content: string | Uint8Array, signal?: AbortSignal): Promise<void> {
    const Body = typeof content === "string" ? Buffer.from(content) : content;
    await this.ask(new this.sdk.PutObjectCommand({ ...this.at(path), Body }), signal);
  }

  /** The bytes of an object; undefined when there is none. */
  async size(path: string, signal?: AbortSignal): Promise<number | undefined> {
    const head = await this.askMaybe(new this.sdk.HeadObjectCommand(this.at(path)), signal);
    return head === undefined ? undefined : Number(head.ContentLength);
  }

  /**
   * An object's content, or that of a range; undefined when there is none. The stream fails with the connection's error.
   * @param range.to the byte behind the last one; default: to the end
   */
  async get(
    path: string,
    { from = 0, to }: Partial<ByteRange> = {},
    signal?: AbortSignal,
  ): Promise<{ body: Readable; etag: string } | undefined> {
    const isWhole = from === 0 && to === undefined;
    const Range = isWhole ? {} : { Range: `bytes=${from}-${to === undefined ? "" : to - 1}` };
    const got = await this.askMaybe(new this.sdk.GetObjectCommand({ ...this.at(path), ...Range }), signal);
    if (got === undefined) return undefined;
    const body = got.Body as Readable;
    if (isWhole || got.ContentRange?.startsWith(`bytes ${from}-`)) return { body, etag: got.ETag ?? "" };
    body.destroy();
    throw this.unexpected("another part of an object than was asked for");
  }

  /** The first bytes of an object as text, at most so many; undefined when there is none. */
  async beginning(path: string, most: number): Promise<string | undefined> {
    const Range = `bytes=0-${most - 1}`;
    const got = await this.askMaybe(new this.sdk.GetObjectCommand({ ...this.at(path), Range }));
    // A server that knows no ranges sends everything; of an inventory that can be much.
    return got && (await beginningOf(got.Body as Readable, most));
  }

  /** A small object as text; undefined when there is none. */
  async text(path: string, signal?: AbortSignal): Promise<string | undefined> {
    const got = await this.askMaybe(new this.sdk.GetObjectCommand(this.at(path)), signal);
    try {
      return await got?.Body?.transformToString();
    } catch (error) {
      signal?.throwIfAborted();
      throw storageProblem(this.place, error);
    }
  }

  /** Copies an object of up to 5 GiB within the bucket. */
  async copy(from: string, to: string): Promise<void> {
    const CopySource = this.sourceOf(from);
    const { CopyObjectResult } = await this.ask(new this.sdk.CopyObjectCommand({ ...this.at(to), CopySource }));
    if (CopyObjectResult?.ETag === undefined) throw this.unexpected("an answer that is no copy’s");
  }

  /** Everything below a path, in byte order, a page at a time. */
  async *pages(below: string, { after, signal }: ListOptions = {}): AsyncGenerator<Listed[]> {
    for (let token: string | undefined; ; ) {
      const page = await this.ask(
        new this.sdk.ListObjectsV2Command({
          Bucket: this.place.bucket,
          Prefix: this.keyOf(below),
          EncodingType: "url",
          ...(token !== undefined && { ContinuationToken: token }),
          ...(token === undefined && after !== undefined && { StartAfter: this.keyOf(after) }),
        }),
        signal,
      );
      // Anything else that was answered with 200 would pass for an empty bucket.
      if (page.Name === undefined) throw this.unexpected("an answer that is no listing");
      const decode = page.EncodingType === "url" ? decodedKey : (key: string) => key;
      yield (page.Contents ?? []).map(({ Key = "", Size }) => ({
        path: this.pathOf(decode(Key)),
        bytes: Number(Size),
      }));
      if (!page.IsTruncated) return;
      if (page.NextContinuationToken === undefined) throw this.unexpected("a listing that ends in the middle");
      token = page.NextContinuationToken;
    }
  }

  /** The names of the folders right below a path that ends in a slash. */
  async folders(below: string): Promise<string[]> {
    const names: string[] = [];
    for (let token: string | undefined; ; ) {
      const page = await this.ask(
        new this.sdk.ListObjectsV2Command({
          Bucket: this.place.bucket,
          Prefix: this.keyOf(below),
          Delimiter: "/",
          EncodingType: "url",
          ...(token !== undefined && { ContinuationToken: token }),
        }),
      );
      if (page.Name === undefined) throw this.unexpected("an answer that is no listing");
      for (const { Prefix = "" } of page.CommonPrefixes ?? []) {
        names.push(this.pathOf(page.EncodingType === "url" ? decodedKey(Prefix) : Prefix).slice(below.length, -1));
      }
      if (!page.IsTruncated) return names;
      if (page.NextContinuationToken === undefined) throw this.unexpected("a listing that ends in the middle");
      token = page.NextContinuationToken;
    }
  }

  /** Removes objects; those that are not there do not count. */
  async remove(paths: readonly string[]): Promise<void> {
    for (let from = 0; from < paths.length; from += AT_ONCE) {
      const Objects = paths.slice(from, from + AT_ONCE).map((path) => ({ Key: this.keyOf(path) }));
      const { Deleted, Errors } = await this.ask(
        new this.sdk.DeleteObjectsCommand({ Bucket: this.place.bucket, Delete: { Objects } }),
      );
      const [refused] = Errors ?? [];
      if (refused !== undefined) {
        throw storageProblem(this.place, {
          name: refused.Code,
          $metadata: { httpStatusCode: refused.Code === "AccessDenied" ? 403 : 200 },
        });
      }
      if ((Deleted?.length ?? 0) < Objects.length) throw this.unexpected("an answer that is no removal’s");
    }
  }

  /** Removes everything below a path, but what is kept back. */
  async removeBelow(below: string, keep: (path: string) => boolean = () => false): Promise<void> {
    for await (const page of this.pages(below)) {
      await this.remove(page.map(({ path }) => path).filter((path) => !keep(path)));
    }
  }
}

async function beginningOf(body: Readable, most: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk as Buffer);
    bytes += (chunk as Buffer).length;
    if (bytes >= most) break;
  }
  return Buffer.concat(chunks).toString("utf8", 0, most);
}

/** Servers write a space as `+` or `%20`, and a plus sign always as `%2B`. */
export function decodedKey(key: string): string {
  return decodeURIComponent(key.replaceAll("+", " "));
}
