import type { Generated } from "./http/bodies.ts";
import { noSuchBucket, S3Error } from "./http/errors.ts";
import { type PutOptions, StoredObject } from "./stored-object.ts";

/** Options of a bucket. */
export interface BucketOptions {
  /** Default: the server's region. */
  region?: string;
  /** May be listed and read without keys. */
  public?: boolean;
  /** Refuses requests without `x-amz-request-payer: requester`. */
  requesterPays?: boolean;
}

/** A multipart upload in progress. */
export interface Upload {
  readonly id: string;
  readonly key: string;
  readonly options: PutOptions;
  readonly startedAt: Date;
  readonly parts: Map<number, { bytes: Buffer; etag: string }>;
}

/** A bucket: objects by key, and open uploads. */
export class Bucket {
  readonly name: string;
  readonly region: string;
  readonly options: BucketOptions;
  readonly createdAt: Date;
  readonly uploads = new Map<string, Upload>();
  readonly #objects = new Map<string, StoredObject>();
  #sorted: string[] | undefined;

  constructor(name: string, region: string, options: BucketOptions, createdAt: Date) {
    this.name = name;
    this.region = region;
    this.options = options;
    this.createdAt = createdAt;
  }

  get(key: string): StoredObject | undefined {
    return this.#objects.get(key);
  }

  set(object: StoredObject): void {
    if (!this.#objects.has(object.key)) this.#sorted = undefined;
    this.#objects.set(object.key, object);
  }

  delete(key: string): boolean {
    const existed = this.#objects.delete(key);
    if (existed) this.#sorted = undefined;
    return existed;
  }

  get size(): number {
    return this.#objects.size;
  }

  /** All keys in the order of their UTF-8 bytes, in which S3 lists them. */
  keys(): readonly string[] {
    this.#sorted ??= sortByBytes([...this.#objects.keys()]);
    return this.#sorted;
  }
}

/** All buckets of a server. */
export class Store {
  readonly buckets = new Map<string, Bucket>();
  readonly region: string;
  readonly now: () => Date;
  readonly #digestLimit: number | undefined;

  constructor(region: string, now: () => Date, digestLimit: number | undefined) {
    this.region = region;
    this.now = now;
    this.#digestLimit = digestLimit;
  }

  createBucket(name: string, options: BucketOptions = {}): Bucket {
    if (this.buckets.has(name)) {
      throw new S3Error(409, "BucketAlreadyOwnedByYou", "The bucket exists and is yours.");
    }
    const bucket = new Bucket(name, options.region ?? this.region, options, this.now());
    this.buckets.set(name, bucket);
    return bucket;
  }

  /** Throws NoSuchBucket. */
  bucket(name: string): Bucket {
    const bucket = this.buckets.get(name);
    if (bucket === undefined) throw noSuchBucket(name);
    return bucket;
  }

  put(bucket: string, key: string, content: Buffer | string | Generated, options: PutOptions = {}): StoredObject {
    const object = new StoredObject(key, content, options, this.now(), this.#digestLimit);
    this.bucket(bucket).set(object);
    return object;
  }
}

/** Compares two keys by their UTF-8 bytes. This differs from JavaScript's order above U+FFFF. */
export function compareBytes(a: string, b: string): number {
  if (a === b) return 0;
  if (!surrogate.test(a) && !surrogate.test(b)) return a < b ? -1 : 1;
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

const surrogate = /[\ud800-\udfff]/;

function sortByBytes(keys: string[]): string[] {
  // JavaScript's own order is the byte order if no key has characters above U+FFFF, and it is much faster.
  return keys.some((key) => surrogate.test(key)) ? keys.sort(compareBytes) : keys.sort();
}
