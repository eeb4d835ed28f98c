import { createHash, type Hash, hash } from "node:crypto";
import { type Digest, serverChecksums } from "./server-checksums.ts";

/** The evidence for the bytes from the source; strongest first. */
export type VerifiedBy = "submitter" | "checksum" | "md5" | "md5-parts" | "length";

export interface DigestResult {
  /** Lower-case hex. */
  sha512: string;
  verifiedBy: VerifiedBy;
  /** The algorithm, for instance `crc64nvme` or `md5`; for `submitter` it is `submitter-sha256`; for `length` it is `length`. */
  verifiedWith: string;
  /** Set if the ETag matched besides a checksum, so it is known to be a digest of the bytes. */
  etagIsDigest?: true;
  /** A digest that the source states and that differs from that of the bytes. */
  mismatch?: { by: VerifiedBy; algorithm: string };
  /** A digest that the submitter states and that differs from that of the bytes. In hex. */
  difference?: { algorithm: string; stated: string; found: string };
}

/** The digests that the submitter and the source state. */
export interface StatedDigests {
  /** Digests that were computed where the data were produced: lower-case hex by algorithm, strongest first. */
  submitter?: Readonly<Record<string, string>> | undefined;
  /** Lower-case header names, from the response. */
  headers: Readonly<Record<string, string>>;
  etag: string | null;
  /** SHA-512 of the whole object in lower-case hex, if the source states it. */
  sha512?: string | undefined;
  bytes: number;
  /** Size of the parts of a multipart upload, if the server reports it. */
  partBytes?: number | undefined;
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

  /** Of all bytes, which have arrived. May be called again. */
  digest(encoding: "hex"): string {
    this.#whole ??= this.#streaming().digest();
    return this.#whole.toString(encoding);
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
 * Computes an object's SHA-512 and every digest that the submitter or the source states while its bytes arrive: those of lists,
 * `x-amz-checksum-*` of the whole object, an ETag that is an MD5, an ETag of a multipart upload.
 */
export class StreamingDigests {
  readonly #bytes: number;
  /** By algorithm, because several checks can need the same hash. */
  readonly #hashes = new Map<string, Hashing>();
  readonly #sha512: Hashing;
  readonly #submitter: [algorithm: string, stated: string][];
  readonly #checks: Check[];
  readonly #later: number[];
  readonly #multipart: { hex: string; parts: number } | undefined;
  /** The server reported the size of the parts. */
  readonly #isTold: boolean;
  constructor(offers: StatedDigests) {
    this.#isTold = offers.partBytes !== undefined;
    this.#bytes = offers.bytes;
    this.#sha512 = this.#hashing("sha512");
    this.#submitter = Object.entries(offers.submitter ?? {});
    for (const [algorithm] of this.#submitter) this.#hashing(algorithm);
    this.#checks = [...this.#sha512Check(offers), ...checksumChecks(offers), ...this.#md5Check(offers)];
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
    for (const hashing of this.#hashes.values()) hashing.update(chunk);
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

  #hashing(algorithm: string): Hashing {
    const hashing = this.#hashes.get(algorithm) ?? new Hashing(algorithm, this.#bytes);
    this.#hashes.set(algorithm, hashing);
    return hashing;
  }

  /** The SHA-512 is computed in any case. */
  #sha512Check({ sha512 }: StatedDigests): Check[] {
    return sha512 === undefined ? [] : [this.#check("checksum", "sha512", sha512)];
  }

  #md5Check({ etag, headers }: StatedDigests): Check[] {
    const hex = /^"?([0-9a-f]{32})"?$/i.exec(etag ?? "")?.[1]?.toLowerCase();
    return hex === undefined || isOpaque(headers) ? [] : [this.#check("md5", "md5", hex)];
  }

  #check(by: VerifiedBy, algorithm: string, stated: string): Check {
    const hashing = this.#hashing(algorithm);
    const digest = { update: () => undefined, matches: () => hashing.digest("hex") === stated };
    return { by, algorithm, digest };
  }

  /** A digest of the submitter that differs. All must be equal: a file that one of them denies is not verified by another. */
  #difference(): DigestResult["difference"] {
    for (const [algorithm, stated] of this.#submitter) {
      const found = this.#hashing(algorithm).digest("hex");
      if (found !== stated) return { algorithm, stated, found };
    }
    return undefined;
  }

  async #judge(): Promise<DigestResult> {
    const sha512 = this.#sha512.digest("hex");
    let held: Check | undefined;
    let broken: Check | undefined;
    let unfit: Check | undefined;
    let etagIsDigest = false;
    const difference = this.#difference();
    /** The strongest digest of the submitter, if all are equal. */
    const submitted = difference === undefined ? this.#submitter[0]?.[0] : undefined;
    for (const check of this.#checks) {
      const matches = check.digest.matches();
      // Most digests answer at once, and awaiting a value takes longer than comparing it.
      if (typeof matches === "boolean" ? matches : await matches) {
        held ??= check;
        etagIsDigest ||= (held.by === "checksum" || submitted !== undefined) && check.by !== "checksum";
      } else if (check.by !== "md5-parts") broken ??= check;
      // With one part, or a reported size, the part size is certain, so a mismatch justifies another read. It proves no
      // corruption: parts may differ in size, and servers that compute no MD5 write ETags of this form, too.
      else if (this.#isTold || this.#multipart?.parts === 1) unfit ??= check;
    }
    if (held === undefined && submitted === undefined) broken ??= unfit;
    return {
      sha512,
      ...(submitted === undefined
        ? { verifiedBy: held?.by ?? "length", verifiedWith: held?.algorithm ?? "length" }
        : { verifiedBy: "submitter", verifiedWith: `submitter-${submitted}` }),
      ...(difference && { difference }),
      ...(etagIsDigest && { etagIsDigest }),
      ...(broken && { mismatch: { by: broken.by, algorithm: broken.algorithm } }),
    };
  }
}

function checksumChecks({ headers }: StatedDigests): Check[] {
  return serverChecksums(headers).map((checksum) => ({ by: "checksum", ...checksum }));
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
