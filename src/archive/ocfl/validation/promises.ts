import { HashTable } from "../hash-table.ts";
import { KNOWN_ALGORITHMS } from "./digests.ts";
import { INVENTORY_ALGORITHMS } from "./inventory-rules.ts";

/** A kind of promise about a file's bytes: who made it, by the code for breaking it, and in which algorithm. */
export interface Kind {
  /** E092: a manifest; E093: a fixity block. */
  code: "E092" | "E093";
  algorithm: string;
}

const KINDS: readonly Kind[] = [
  ...INVENTORY_ALGORITHMS.map((algorithm) => ({ code: "E092", algorithm }) as const),
  ...KNOWN_ALGORITHMS.map((algorithm) => ({ code: "E093", algorithm }) as const),
];

/**
 * What inventories promise of content files besides the newest manifest, so that each file is read once for all of it.
 * Remembers hashes: about 100 bytes a promise, outside the heap. So it can tell whether a digest was promised, and never
 * which one was.
 */
export class Promises {
  /** Path → a bit for each kind of promise. */
  readonly #kinds = new HashTable();
  readonly #digests = new HashTable();

  /** Returns false when another digest of the same kind was promised before: one of the two will be broken. */
  add(code: Kind["code"], algorithm: string, digest: string, path: string): boolean {
    const bit = 1 << KINDS.findIndex((kind) => kind.code === code && kind.algorithm === algorithm);
    const isNew = this.#digests.mark(keyOf({ code, algorithm }, digest, path), 1) === 0;
    const before = this.#kinds.mark(path, bit);
    return !isNew || (before & bit) === 0;
  }

  /** What was promised of a file. */
  of(path: string): readonly Kind[] {
    const bits = this.#kinds.get(path) ?? 0;
    return bits === 0 ? [] : KINDS.filter((_, index) => (bits & (1 << index)) !== 0);
  }

  /** Whether this very digest was promised. */
  has(kind: Kind, digest: string, path: string): boolean {
    return this.#digests.get(keyOf(kind, digest, path)) !== undefined;
  }
}

function keyOf({ code, algorithm }: Kind, digest: string, path: string): string {
  return `${code} ${algorithm} ${digest.toLowerCase()} ${path}`;
}
