import { createHash } from "node:crypto";
import { type Body, bufferBody, type Generated, generatedBody } from "./http/bodies.ts";
import { type ChecksumAlgorithm, checksum, md5 } from "./http/checksums.ts";

/** COMPOSITE: the digest of the parts' digests with `-N`; FULL_OBJECT: the digest of the content. */
type ChecksumType = "COMPOSITE" | "FULL_OBJECT";

/** Properties of an object besides its bytes. The defaults are those of S3. */
export interface PutOptions {
  contentType?: string;
  contentEncoding?: string;
  /** User metadata: names without `x-amz-meta-`. */
  metadata?: Record<string, string>;
  /** `GLACIER` and `DEEP_ARCHIVE` refuse GET with InvalidObjectState. */
  storageClass?: string;
  /** Stored as a multipart upload with parts of this many bytes: an ETag of MD5s with `-N`, and `?partNumber=`. */
  partSize?: number;
  /** Lengths of the parts if they differ; overrides `partSize`. */
  partSizes?: readonly number[];
  /** Stored and sent as `x-amz-checksum-…`, but only for requests with `x-amz-checksum-mode: ENABLED`. */
  checksum?: ChecksumAlgorithm;
  /** For multipart objects; COMPOSITE unless the algorithm is crc64nvme. */
  checksumType?: ChecksumType;
  /** A wrong checksum to state instead of the correct one. */
  checksumValue?: string;
  /** The ETag to state, without quotes, instead of the correct one. */
  etag?: string;
  /**
   * Both result in an ETag that looks like an MD5 but is not one; `customer` also refuses GET and HEAD without the key.
   */
  encryption?: "aws:kms" | "customer";
  lastModified?: Date;
}

/** For larger objects the ETag is not computed: it is an opaque text that cannot be an MD5. */
const defaultDigestLimit = 64 * 1024 * 1024;

/** One object. ETag and checksum are computed when they are first needed. */
export class StoredObject {
  readonly key: string;
  readonly body: Body;
  readonly lastModified: Date;
  /** Lengths of the parts; undefined if the object was stored in one request. */
  readonly parts: readonly number[] | undefined;
  readonly options: Readonly<PutOptions>;
  readonly #digestLimit: number;
  #etag: string | undefined;
  #checksum: string | undefined;

  constructor(
    key: string,
    content: Buffer | string | Generated,
    options: PutOptions,
    now: Date,
    digestLimit = defaultDigestLimit,
  ) {
    this.key = key;
    this.body = bodyOf(content);
    this.options = options;
    // S3 stores whole seconds, and HTTP dates have no finer resolution.
    this.lastModified = new Date(Math.floor((options.lastModified ?? now).getTime() / 1000) * 1000);
    this.parts = options.partSizes ?? (options.partSize ? evenParts(this.body.size, options.partSize) : undefined);
    this.#digestLimit = digestLimit;
  }

  /** With quotes, as it is sent. */
  get etag(): string {
    this.#etag ??= `"${this.options.etag ?? this.#computeEtag()}"`;
    return this.#etag;
  }

  get storageClass(): string {
    return this.options.storageClass ?? "STANDARD";
  }

  get checksumType(): ChecksumType {
    if (this.parts === undefined || this.options.checksum === "crc64nvme") return "FULL_OBJECT";
    return this.options.checksumType ?? "COMPOSITE";
  }

  /** Base64, with `-N` if composite; undefined if the object was stored without a checksum. */
  get checksum(): string | undefined {
    const { checksum: algorithm, checksumValue } = this.options;
    if (algorithm === undefined) return undefined;
    this.#checksum ??= checksumValue ?? this.#computeChecksum(algorithm);
    return this.#checksum;
  }

  /** Range of a part, counted from 1; undefined if the part does not exist. */
  partRange(number: number): { start: number; end: number } | undefined {
    const parts = this.parts ?? [this.body.size];
    if (number < 1 || number > parts.length) return undefined;
    const start = parts.slice(0, number - 1).reduce((sum, length) => sum + length, 0);
    return { start, end: start + (parts[number - 1] ?? 0) };
  }

  #computeEtag(): string {
    const suffix = this.parts === undefined ? "" : `-${this.parts.length}`;
    if (this.options.encryption !== undefined) {
      return createHash("md5").update(`encrypted ${this.key} ${this.body.size}`).digest("hex") + suffix;
    }
    if (this.body.size > this.#digestLimit) {
      return `opaque.${createHash("sha1").update(`${this.key} ${this.body.size}`).digest("base64url")}${suffix}`;
    }
    if (this.parts === undefined) return md5(this.body.read(0, this.body.size)).toString("hex");
    return md5(this.#eachPart(md5)).toString("hex") + suffix;
  }

  #computeChecksum(algorithm: ChecksumAlgorithm): string {
    if (this.parts === undefined || this.checksumType === "FULL_OBJECT") {
      return checksum(algorithm, this.body.read(0, this.body.size)).toString("base64");
    }
    const digests = this.#eachPart((chunks) => checksum(algorithm, chunks));
    return `${checksum(algorithm, digests).toString("base64")}-${this.parts.length}`;
  }

  *#eachPart(digest: (chunks: Iterable<Buffer>) => Buffer): Generator<Buffer> {
    let start = 0;
    for (const length of this.parts ?? []) {
      yield digest(this.body.read(start, start + length));
      start += length;
    }
  }
}

function bodyOf(content: Buffer | string | Generated): Body {
  if (typeof content === "string") return bufferBody(Buffer.from(content));
  return Buffer.isBuffer(content) ? bufferBody(content) : generatedBody(content);
}

function evenParts(size: number, partSize: number): number[] {
  const count = Math.max(1, Math.ceil(size / partSize));
  return Array.from({ length: count }, (_, index) => Math.min(partSize, size - index * partSize));
}
