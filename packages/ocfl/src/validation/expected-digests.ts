import { KNOWN_ALGORITHMS } from "../io/digests.ts";
import { HashTable } from "../io/hash-table.ts";
import { INVENTORY_ALGORITHMS } from "./inventory-rules.ts";

/** The origin of an expected digest, and its algorithm. */
interface DigestSource {
  /** The code for a file with another digest. E092: a manifest; E093: a fixity block. */
  code: "E092" | "E093";
  algorithm: string;
}

const DIGEST_SOURCES: readonly DigestSource[] = [
  ...INVENTORY_ALGORITHMS.map((algorithm) => ({ code: "E092", algorithm }) as const),
  ...KNOWN_ALGORITHMS.map((algorithm) => ({ code: "E093", algorithm }) as const),
];

/**
 * The digests that older manifests and fixity blocks state for content files, in addition to the newest manifest. They
 * are collected before content is read, so that each file is read once for all of them. Only hashes are kept: about 100
 * bytes for each digest, outside the JavaScript heap. The table can tell whether a digest is expected, but not which
 * one is.
 */
export class ExpectedDigests {
  /** Path → a bit for each source. */
  readonly #sources = new HashTable();
  readonly #digests = new HashTable();

  /** Returns false if the same source stated another digest for this file before, because the file cannot have both. */
  add(code: DigestSource["code"], algorithm: string, digest: string, path: string): boolean {
    const bit = 1 << DIGEST_SOURCES.findIndex((source) => source.code === code && source.algorithm === algorithm);
    const isNew = this.#digests.mark(keyOf({ code, algorithm }, digest, path), 1) === 0;
    const before = this.#sources.mark(path, bit);
    return !isNew || (before & bit) === 0;
  }

  /** The sources that state a digest for a file. */
  sourcesOf(path: string): readonly DigestSource[] {
    const bits = this.#sources.get(path) ?? 0;
    return bits === 0 ? [] : DIGEST_SOURCES.filter((_, index) => (bits & (1 << index)) !== 0);
  }

  /** Whether a source states this digest for a file. */
  has(source: DigestSource, digest: string, path: string): boolean {
    return this.#digests.get(keyOf(source, digest, path)) !== undefined;
  }
}

function keyOf({ code, algorithm }: DigestSource, digest: string, path: string): string {
  return `${code} ${algorithm} ${digest.toLowerCase()} ${path}`;
}
