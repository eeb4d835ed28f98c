import type { Readable } from "node:stream";
import type { Lease } from "../lease.ts";
import type { ByteRange } from "../reader.ts";
import type { S3Location } from "./layout.ts";
import { Requests } from "./requests.ts";
import { loadSdk, makeClient } from "./sdk.ts";
import { storageProblem } from "./storage-problem.ts";

/** An entry of a listing. */
export interface Listed {
  /** Relative to the archive's prefix. */
  path: string;
  bytes: number;
}

export interface ListOptions {
  /** Begin after this path. */
  after?: string;
  signal?: AbortSignal | undefined;
}

const PROBE = "staging/.probe";
/** Maximum number of objects in one request to delete. */
const AT_ONCE = 1_000;

/**
 * The archive's bucket. Paths are relative to the archive's prefix. Failed requests are repeated several times. When a
 * call that writes resolves, the object is complete and durable; otherwise it does not exist.
 *
 * @throws (every method) Problem `no_space`, `archive_unwritable`; the signal's reason
 */
export class Bucket extends Requests {
  /** @param connections maximum number of concurrent requests */
  static async open(place: S3Location, connections: number): Promise<Bucket> {
    const sdk = await loadSdk();
    return new Bucket(place, sdk, makeClient(sdk, place, connections));
  }

  /** The same bucket for a writer that needs a valid lease. It is closed together with this one. */
  under(lease: Lease): Bucket {
    return new Bucket(this.place, this.sdk, this.client, lease);
  }

  close(): void {
    this.client.destroy();
  }

  /** The parameters that all requests about an object have. */
  at(path: string): { Bucket: string; Key: string } {
    return { Bucket: this.place.bucket, Key: this.keyOf(path) };
  }

  /** The source of a request to copy. */
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

  /** Stores a whole object at a path and replaces an existing one. */
  async put(path: string, content: string | Uint8Array, signal?: AbortSignal): Promise<void> {
    const Body = typeof content === "string" ? Buffer.from(content) : content;
    await this.ask(new this.sdk.PutObjectCommand({ ...this.at(path), Body }), signal);
  }

  /** Writes and removes an empty object, to test the access. */
  async tryWriting(): Promise<void> {
    await this.put(PROBE, "");
    await this.remove([PROBE]);
  }

  /** Size of an object in bytes; undefined if it does not exist. */
  async size(path: string, signal?: AbortSignal): Promise<number | undefined> {
    const head = await this.askMaybe(new this.sdk.HeadObjectCommand(this.at(path)), signal);
    return head === undefined ? undefined : Number(head.ContentLength);
  }

  /**
   * Content of an object, or of a range; undefined if the object does not exist. The stream fails with the connection's
   * error.
   * @param range.to position after the last byte; default: the end
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
    throw this.unexpected("a different range of an object than was requested");
  }

  /** The beginning of an object as text, at most `most` bytes; undefined if it does not exist. */
  async beginning(path: string, most: number): Promise<string | undefined> {
    const Range = `bytes=0-${most - 1}`;
    const got = await this.askMaybe(new this.sdk.GetObjectCommand({ ...this.at(path), Range }));
    // A server without support for ranges sends the whole object, and inventories can be large.
    return got && (await beginningOf(got.Body as Readable, most));
  }

  /** A small object as text; undefined if it does not exist. */
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
    if (CopyObjectResult?.ETag === undefined) throw this.unexpected("an invalid response to a copy request");
  }

  /** All objects below a path, in byte order, one page at a time. */
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
      // Any other response with status 200 would be taken for an empty bucket.
      if (page.Name === undefined) throw this.unexpected("a response that is not a listing");
      const decode = page.EncodingType === "url" ? decodedKey : (key: string) => key;
      yield (page.Contents ?? []).map(({ Key = "", Size }) => ({
        path: this.pathOf(decode(Key)),
        bytes: Number(Size),
      }));
      if (!page.IsTruncated) return;
      if (page.NextContinuationToken === undefined)
        throw this.unexpected("a truncated listing without a continuation token");
      token = page.NextContinuationToken;
    }
  }

  /** Names of the folders directly below a path that ends with a slash. */
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
      if (page.Name === undefined) throw this.unexpected("a response that is not a listing");
      for (const { Prefix = "" } of page.CommonPrefixes ?? []) {
        names.push(this.pathOf(page.EncodingType === "url" ? decodedKey(Prefix) : Prefix).slice(below.length, -1));
      }
      if (!page.IsTruncated) return names;
      if (page.NextContinuationToken === undefined)
        throw this.unexpected("a truncated listing without a continuation token");
      token = page.NextContinuationToken;
    }
  }

  /** Deletes objects. Missing objects are ignored. */
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
      if ((Deleted?.length ?? 0) < Objects.length) throw this.unexpected("an invalid response to a delete request");
    }
  }

  /** Deletes all objects below a path, except those for which `keep` returns true. */
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

/** Decodes a key in a listing. Servers write a space as `+` or `%20`, and a plus sign always as `%2B`. */
export function decodedKey(key: string): string {
  return decodeURIComponent(key.replaceAll("+", " "));
}
