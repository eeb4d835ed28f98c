import { join } from "node:path";
import { HashTable } from "../hash-table.ts";
import { type JsonVisitor, readJson } from "../read-json.ts";
import { type Met, type Refused, walk } from "../walk.ts";
import { digester, KNOWN_ALGORITHMS, malformed } from "./digests.ts";
import type { Findings } from "./findings.ts";
import type { Surveyed } from "./inventory-check.ts";
import { INVENTORY_ALGORITHMS, misplaced } from "./inventory-rules.ts";
import { isBackslashed, pathFault } from "./paths.ts";
import type { PlainFiles } from "./plain-files.ts";

/** A kind of promise about a file's bytes: who made it, by the code for breaking it, and in which algorithm. */
interface Kind {
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

/** Files read at a time, unless told otherwise. */
const READERS = 8;
/** What a file counts at least when a slice is filled: to open one takes time too. */
const LEAST = 4_096;

/** Which part of an object's content is read, and how hard. */
export interface Slice {
  /** How many of the manifest's files were looked at before; 0 begins anew. */
  from?: number;
  /** Bytes after which no further file is begun, of each file 4 KiB at least; without it everything is read. */
  bytes?: number;
  /** Files read at a time. */
  readers?: number;
}

/** Where content lies. Paths are relative to the object's folder. */
export interface Content {
  /** Everything below a content folder. */
  walk(contentFolder: string, refused: Refused): AsyncIterable<Met>;
  /**
   * Reads a file from its beginning to its end; a piece is valid until `take` returns.
   *
   * @returns how many bytes it has
   * @throws Error with a `code`, which is `ENOENT` when it is missing, for what is wrong with this file
   */
  read(path: string, take: (piece: Uint8Array) => void, signal?: AbortSignal): Promise<number>;
}

/** What was read. `next` is where the next slice begins; absent when the last file was looked at. */
export interface ContentRead {
  files: number;
  bytes: number;
  next?: number;
}

/** The manifest's word on a file. */
interface Expected {
  path: string;
  digest: string;
}

/**
 * Reads every file of an inventory's manifest once and compares all digests that are promised of it: the manifest's
 * (E092), and those of older manifests and of fixity blocks (E092, E093). The inventory is streamed and files are read as
 * they come by, so memory does not grow with their number.
 */
export async function checkContent(
  { files, path: inventory, facts }: Surveyed,
  contentDirectories: ReadonlySet<string>,
  promises: Promises,
  content: Content,
  findings: Findings,
  { signal, ...slice }: Slice & { signal?: AbortSignal | undefined } = {},
): Promise<ContentRead> {
  const comparison = new Comparison(facts.digestAlgorithm ?? "sha512", promises, findings);
  const reading = new Reading((expected) => comparison.compare(expected, content, signal), slice);
  const visitor: JsonVisitor = {
    open() {},
    value([member, digest = "", ...rest], path, inArray) {
      if (member !== "manifest" || rest.length > 0 || !inArray || typeof path !== "string") return;
      // An invalid path was reported by the survey; nothing outside the object is read for its sake.
      if (pathFault(path) !== undefined) return;
      if (path.includes("\0")) return findings.add("E092", path, "No file can have this name");
      if (isBackslashed(path)) return findings.add("E035", path, "The path is separated by backslashes");
      if (!reading.wants()) return;
      const fault = misplaced(path, facts, contentDirectories);
      if (fault !== undefined) findings.add(fault.code, path, fault.detail);
      reading.add({ path, digest });
    },
    pause: () => reading.readAll(),
  };
  try {
    await readJson(join(files.folder, inventory), visitor, signal);
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
  }
  return reading.result();
}

/** Content in the object's folder, where it belongs. */
export function contentIn(files: PlainFiles): Content {
  return {
    walk: (contentFolder, refused) => walk(join(files.folder, contentFolder), refused),
    read: (path, take, signal) => files.read(path, take, signal),
  };
}

/** Reads a file and compares what it is with what it was said to be. */
class Comparison {
  readonly #algorithm: string;
  readonly #promises: Promises;
  readonly #findings: Findings;

  constructor(algorithm: string, promises: Promises, findings: Findings) {
    this.#algorithm = algorithm;
    this.#promises = promises;
    this.#findings = findings;
  }

  /** Returns how many bytes were read; undefined when the file cannot be read. */
  async compare({ path, digest }: Expected, content: Content, signal?: AbortSignal): Promise<number | undefined> {
    const promised = this.#promises.of(path);
    const algorithms = [...new Set([this.#algorithm, ...promised.map(({ algorithm }) => algorithm)])];
    const digesters = algorithms.map((algorithm) => ({ algorithm, digester: digester(algorithm) }));
    const take = (piece: Uint8Array) => {
      for (const each of digesters) each.digester.update(piece);
    };
    let bytes: number;
    try {
      bytes = await content.read(path, take, signal);
    } catch (error) {
      const reason = (error as NodeJS.ErrnoException).code;
      if (signal?.aborted || typeof reason !== "string") throw error;
      const detail = reason === "ENOENT" ? "The file is missing" : `The file cannot be read (${reason})`;
      for (const code of new Set(["E092" as const, ...promised.map((kind) => kind.code)])) {
        this.#findings.add(code, path, detail);
      }
      return undefined;
    }
    const found = new Map(digesters.map((each) => [each.algorithm, each.digester.digest()]));
    const own = found.get(this.#algorithm) ?? "";
    // What is no digest was reported.
    if (own !== digest.toLowerCase() && malformed(this.#algorithm, digest) === undefined) {
      this.#findings.add("E092", path, `The ${this.#algorithm} is ${own}, the inventory says ${digest}`);
    }
    for (const kind of promised) {
      const real = found.get(kind.algorithm) ?? "";
      if (this.#promises.has(kind, real, path)) continue;
      const where = kind.code === "E092" ? "an older inventory" : "the fixity block";
      this.#findings.add(kind.code, path, `The ${kind.algorithm} is ${real}, ${where} has another`);
    }
    return bytes;
  }
}

/** Ends the reading of an inventory early: the slice is full. */
class Enough extends Error {}

/** Files that came by and wait to be read, and what was read so far. */
class Reading {
  readonly #readOne: (expected: Expected) => Promise<number | undefined>;
  readonly #slice: Slice;
  readonly #total = { files: 0, bytes: 0 };
  #batch: Expected[] = [];
  #met = 0;
  #begun: number;
  #read = 0;

  constructor(readOne: (expected: Expected) => Promise<number | undefined>, slice: Slice) {
    this.#readOne = readOne;
    this.#slice = slice;
    this.#begun = slice.from ?? 0;
  }

  /** Counts a file; false for one that an earlier slice looked at. */
  wants(): boolean {
    this.#met += 1;
    return this.#met > (this.#slice.from ?? 0);
  }

  add(expected: Expected): void {
    this.#batch.push(expected);
  }

  /** @throws Enough when the slice is full and something is left */
  async readAll(): Promise<void> {
    if (this.#batch.length === 0) return;
    const work = this.#batch;
    this.#batch = [];
    let taken = 0;
    const reader = async () => {
      while (!this.#isFull) {
        const expected = work[taken++];
        if (expected === undefined) return;
        this.#begun += 1;
        await this.#count(expected);
      }
    };
    await Promise.all(Array.from({ length: this.#slice.readers ?? READERS }, reader));
    if (this.#isFull && taken < work.length) throw new Enough();
  }

  async #count(expected: Expected): Promise<void> {
    const bytes = await this.#readOne(expected);
    this.#read += Math.max(bytes ?? 0, LEAST);
    if (bytes === undefined) return;
    this.#total.files += 1;
    this.#total.bytes += bytes;
  }

  get #isFull(): boolean {
    return this.#slice.bytes !== undefined && this.#read >= this.#slice.bytes;
  }

  result(): ContentRead {
    return this.#begun < this.#met ? { ...this.#total, next: this.#begun } : this.#total;
  }
}

function keyOf({ code, algorithm }: Kind, digest: string, path: string): string {
  return `${code} ${algorithm} ${digest.toLowerCase()} ${path}`;
}
