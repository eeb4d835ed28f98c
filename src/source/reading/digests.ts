import { createHash, type Hash, hash } from "node:crypto";
import { crc32 } from "node:zlib";
import { Crc32c } from "@aws-crypto/crc32c";
import { Crc64Nvme } from "@aws-sdk/crc64-nvme";

/** The evidence for the bytes from the source; strongest first. */
export type VerifiedBy = "checksum" | "md5" | "md5-parts" | "length";

export interface DigestResult {
  /** Lower-case hex. */
  sha512: string;
  verifiedBy: VerifiedBy;
  /** The algorithm, for instance `crc64nvme` or `md5`; for `length` it is `length`. */
  verifiedWith: string;
  /** Set if the ETag matched besides a checksum, so it is known to be a digest of the bytes. */
  etagIsDigest?: true;
  /** A digest that the source states and that differs from that of the bytes. */
  mismatch?: { by: VerifiedBy; algorithm: string };
}

/** The digests that the source states. */
export interface StatedDigests {
  /** Lower-case header names, from the response. */
  headers: Readonly<Record<string, string>>;
  etag: string | null;
  /** SHA-512 of the whole object in lower-case hex, if the source states it. */
  sha512?: string | undefined;
  bytes: number;
  /** Size of the parts of a multipart upload, if the server reports it. */
  partBytes?: number | undefined;
}

interface Digest {
  update(chunk: Uint8Array): void;
  /** True if the digest matches the stated one. */
  matches(): boolean | Promise<boolean>;
}

/** A hash with a fast path for content that arrives in one piece, which halves the cost of small objects. */
class Hashing {
  readonly #algorithm: string;
  readonly #bytes: number;
  #whole: Buffer | undefined;
  #hash: Hash | undefined;

  constructor(algorithm: string, bytes: number) {
    this.#algorithm = algorithm;
    this.#bytes = bytes;
  }

  update(chunk: Uint8Array): void {
    const isAll = chunk.length === this.#bytes && this.#hash === undefined && this.#whole === undefined;
    if (isAll) this.#whole = hash(this.#algorithm, chunk, "buffer");
    else this.#streaming().update(chunk);
  }

  digest(encoding: "hex"): string {
    return (this.#whole ?? this.#streaming().digest()).toString(encoding);
  }

  #streaming(): Hash {
    this.#hash ??= createHash(this.#algorithm);
    return this.#hash;
  }
}

interface Check {
  by: VerifiedBy;
  algorithm: string;
  digest: Digest;
}

const MIB = 1024 * 1024;
/** Number of part sizes hashed while the bytes arrive. Further candidates are tried on the stored file. */
const CANDIDATES_IN_PASSING = 3;
const MAX_CANDIDATES = 40;
/** Default part sizes of clients: s3cmd, AWS CLI, Cyberduck, rclone, MinIO, s5cmd, and round numbers. */
const USUAL_PART_MIBS = [8, 5, 15, 16, 64, 50, 10, 25, 32, 100, 128, 256, 512, 20, 40, 1024];

/**
 * Computes an object's SHA-512 and every digest that the source states while its bytes arrive: `x-amz-checksum-*` of
 * the whole object, an ETag that is an MD5, an ETag of a multipart upload.
 */
export class StreamingDigests {
  readonly #sha512: Hashing;
  readonly #checks: Check[];
  readonly #later: number[];
  readonly #multipart: { hex: string; parts: number } | undefined;
  /** The server reported the size of the parts. */
  readonly #isTold: boolean;
  /** The SHA-512 of the bytes, at the end. */
  #found = "";

  constructor(offers: StatedDigests) {
    this.#isTold = offers.partBytes !== undefined;
    this.#sha512 = new Hashing("sha512", offers.bytes);
    this.#checks = [...this.#sha512Check(offers), ...checksumChecks(offers.headers), ...md5Checks(offers)];
    this.#multipart = isOpaque(offers.headers) ? undefined : multipartEtag(offers.etag);
    this.#later = [];
    if (this.#multipart !== undefined) {
      const sizes =
        offers.partBytes === undefined ? partSizes(offers.bytes, this.#multipart.parts) : [offers.partBytes];
      this.#later = sizes.slice(CANDIDATES_IN_PASSING);
      const { hex } = this.#multipart;
      this.#checks.push(
        ...sizes.slice(0, CANDIDATES_IN_PASSING).map((size) => ({
          by: "md5-parts" as const,
          algorithm: "md5",
          digest: partsDigest(size, hex),
        })),
      );
    }
  }

  update(chunk: Uint8Array): void {
    this.#sha512.update(chunk);
    for (const { digest } of this.#checks) digest.update(chunk);
  }

  /**
   * To be called once, after the last byte. `readBack` returns all bytes again. It is used for part sizes that fit a
   * multipart ETag and were not hashed before.
   */
  async finish(readBack: () => Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<DigestResult> {
    const verdict = await this.#judge();
    if (verdict.verifiedBy !== "length") return verdict;
    for (const size of this.#later) {
      const digest = partsDigest(size, this.#multipart?.hex ?? "");
      for await (const chunk of readBack()) digest.update(chunk);
      if (await digest.matches()) return { ...verdict, verifiedBy: "md5-parts", verifiedWith: "md5" };
    }
    return verdict;
  }

  /** The SHA-512 is computed in any case. */
  #sha512Check({ sha512 }: StatedDigests): Check[] {
    if (sha512 === undefined) return [];
    const digest = { update: () => undefined, matches: () => this.#found === sha512 };
    return [{ by: "checksum", algorithm: "sha512", digest }];
  }

  async #judge(): Promise<DigestResult> {
    const sha512 = this.#sha512.digest("hex");
    this.#found = sha512;
    let held: Check | undefined;
    let broken: Check | undefined;
    let unfit: Check | undefined;
    let etagIsDigest = false;
    for (const check of this.#checks) {
      const matches = check.digest.matches();
      // Most digests answer at once, and awaiting a value takes longer than comparing it.
      if (typeof matches === "boolean" ? matches : await matches) {
        held ??= check;
        etagIsDigest ||= held.by === "checksum" && check.by !== "checksum";
      } else if (check.by !== "md5-parts") broken ??= check;
      // With one part, or a reported size, the part size is certain, so a mismatch justifies another read. It proves no
      // corruption: parts may differ in size, and servers that compute no MD5 write ETags of this form, too.
      else if (this.#isTold || this.#multipart?.parts === 1) unfit ??= check;
    }
    if (held === undefined) broken ??= unfit;
    return {
      sha512,
      verifiedBy: held?.by ?? "length",
      verifiedWith: held?.algorithm ?? "length",
      ...(etagIsDigest && { etagIsDigest }),
      ...(broken && { mismatch: { by: broken.by, algorithm: broken.algorithm } }),
    };
  }
}

const checksums: { name: string; make: (expected: string) => Digest }[] = [
  { name: "sha256", make: (expected) => hashDigest("sha256", expected) },
  { name: "crc64nvme", make: crc64Digest },
  { name: "sha1", make: (expected) => hashDigest("sha1", expected) },
  { name: "crc32c", make: crc32cDigest },
  { name: "crc32", make: crc32Digest },
];

function checksumChecks(headers: StatedDigests["headers"]): Check[] {
  // A composite checksum is computed from the parts' checksums, not from the bytes.
  if (headers["x-amz-checksum-type"] === "COMPOSITE") return [];
  return checksums.flatMap(({ name, make }) => {
    const expected = headers[`x-amz-checksum-${name}`];
    if (expected === undefined || /-\d+$/.test(expected)) return [];
    return [{ by: "checksum" as const, algorithm: name, digest: make(expected) }];
  });
}

function md5Checks(offers: StatedDigests): Check[] {
  const hex = /^"?([0-9a-f]{32})"?$/i.exec(offers.etag ?? "")?.[1]?.toLowerCase();
  if (hex === undefined || isOpaque(offers.headers)) return [];
  const md5 = new Hashing("md5", offers.bytes);
  return [
    {
      by: "md5",
      algorithm: "md5",
      digest: { update: (chunk) => md5.update(chunk), matches: () => md5.digest("hex") === hex },
    },
  ];
}

/** The ETag of an object encrypted with KMS or a customer's key is not a digest of its content. */
function isOpaque(headers: StatedDigests["headers"]): boolean {
  return (
    headers["x-amz-server-side-encryption"]?.startsWith("aws:kms") === true ||
    headers["x-amz-server-side-encryption-customer-algorithm"] !== undefined
  );
}

/** The ETag of a multipart upload: MD5 of the parts' MD5s, a hyphen, the number of parts. */
export function multipartEtag(etag: string | null): { hex: string; parts: number } | undefined {
  const found = /^"?([0-9a-f]{32})-([1-9]\d{0,4})"?$/i.exec(etag ?? "");
  return found?.[1] === undefined ? undefined : { hex: found[1].toLowerCase(), parts: Number(found[2]) };
}

/** The part sizes in whole MiB that split this number of bytes into this number of parts; usual sizes first. */
export function partSizes(bytes: number, parts: number): number[] {
  if (parts === 1) return [Math.max(bytes, 1)];
  const fits = (mib: number) => Math.ceil(bytes / (mib * MIB)) === parts;
  const from = Math.max(1, Math.floor(bytes / parts / MIB));
  const all = Array.from({ length: MAX_CANDIDATES }, (_, i) => from + i);
  return [...new Set([...USUAL_PART_MIBS, ...all])]
    .filter(fits)
    .slice(0, MAX_CANDIDATES)
    .map((mib) => mib * MIB);
}

function partsDigest(partBytes: number, expected: string): Digest {
  const whole = createHash("md5");
  let part = createHash("md5");
  let left = partBytes;
  let parts = 0;
  return {
    update(chunk) {
      for (let rest = chunk; rest.length > 0; ) {
        const now = rest.subarray(0, left);
        part.update(now);
        left -= now.length;
        rest = rest.subarray(now.length);
        if (left === 0) {
          whole.update(part.digest());
          parts += 1;
          part = createHash("md5");
          left = partBytes;
        }
      }
    },
    matches() {
      // An empty object has one empty part.
      if (left !== partBytes || parts === 0) whole.update(part.digest());
      return whole.digest("hex") === expected;
    },
  };
}

function hashDigest(algorithm: string, expected: string): Digest {
  const streaming = createHash(algorithm);
  return { update: (chunk) => void streaming.update(chunk), matches: () => streaming.digest("base64") === expected };
}

function uint32Digest(update: (chunk: Uint8Array) => void, value: () => number, expected: string): Digest {
  return {
    update,
    matches() {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(value());
      return bytes.toString("base64") === expected;
    },
  };
}

function crc32Digest(expected: string): Digest {
  let value = 0;
  return uint32Digest(
    (chunk) => {
      value = crc32(chunk, value);
    },
    () => value,
    expected,
  );
}

function crc32cDigest(expected: string): Digest {
  const hash = new Crc32c();
  return uint32Digest(
    (chunk) => void hash.update(chunk),
    () => hash.digest(),
    expected,
  );
}

function crc64Digest(expected: string): Digest {
  const hash = new Crc64Nvme();
  return {
    update: (chunk) => hash.update(chunk),
    matches: async () => Buffer.from(await hash.digest()).toString("base64") === expected,
  };
}
