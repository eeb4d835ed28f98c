import { join } from "node:path";
import type { Findings } from "../findings.ts";
import { digester, malformed } from "../io/digests.ts";
import { type JsonVisitor, readJson } from "../io/read-json.ts";
import type { ContentSource } from "./content-source.ts";
import type { ExpectedDigests } from "./expected-digests.ts";
import type { LoadedInventory } from "./inventory-check.ts";
import { locationFault } from "./inventory-rules.ts";
import { isBackslashed, pathFault } from "./paths.ts";

/** Default number of files that are read concurrently. */
const READERS = 8;
/** Minimum number of bytes that a file counts in a slice, because opening it takes time too. */
const MIN_FILE_COST = 4_096;

/** The part of an object's content that is read, and the number of concurrent reads. */
export interface ContentSlice {
  /** Number of the manifest's files that earlier slices have read; 0 by default. */
  from?: number;
  /** After this many bytes no further file is read; a file counts at least 4 KiB. Everything is read by default. */
  bytes?: number;
  /** Number of files that are read concurrently; 8 by default. */
  readers?: number;
}

/** Amount of content that was read. `next` is the beginning of the next slice; absent if all files were read. */
export interface ContentTotals {
  files: number;
  bytes: number;
  next?: number;
}

/** A file as the manifest describes it. */
interface ManifestEntry {
  path: string;
  digest: string;
}

/**
 * Reads every file of an inventory's manifest once and compares it with every expected digest: that of the manifest
 * (E092), and those of older manifests and of fixity blocks (E092, E093). The inventory is streamed and its files are read
 * batch by batch, so memory does not grow with their number.
 */
export async function checkContent(
  { files, path: inventory, facts }: LoadedInventory,
  contentDirectories: ReadonlySet<string>,
  expectedDigests: ExpectedDigests,
  content: ContentSource,
  findings: Findings,
  { signal, ...slice }: ContentSlice & { signal?: AbortSignal | undefined } = {},
): Promise<ContentTotals> {
  const comparison = new DigestComparison(facts.digestAlgorithm ?? "sha512", expectedDigests, findings);
  const reading = new BatchReader((entry) => comparison.compare(entry, content, signal), slice);
  const visitor: JsonVisitor = {
    open() {},
    value([member, digest = "", ...rest], path, inArray) {
      if (member !== "manifest" || rest.length > 0 || !inArray || typeof path !== "string") return;
      // The parser has reported invalid paths. Files outside the object are not read.
      if (pathFault(path) !== undefined) return;
      if (path.includes("\0")) return findings.add("E092", path, "No file can have this name");
      if (isBackslashed(path)) return findings.add("E035", path, "The path uses backslashes as separators");
      if (!reading.isInSlice()) return;
      const fault = locationFault(path, facts, contentDirectories);
      if (fault !== undefined) findings.add(fault.code, path, fault.detail);
      reading.add({ path, digest });
    },
    pause: () => reading.readAll(),
  };
  try {
    await readJson(join(files.folder, inventory), visitor, signal);
  } catch (error) {
    if (!(error instanceof SliceComplete)) throw error;
  }
  return reading.result();
}

/** Reads a file and compares its digests with the expected ones. */
class DigestComparison {
  readonly #algorithm: string;
  readonly #expectedDigests: ExpectedDigests;
  readonly #findings: Findings;

  constructor(algorithm: string, expectedDigests: ExpectedDigests, findings: Findings) {
    this.#algorithm = algorithm;
    this.#expectedDigests = expectedDigests;
    this.#findings = findings;
  }

  /** Compares a file. Returns the number of bytes read; undefined if the file cannot be read. */
  async compare(
    { path, digest }: ManifestEntry,
    content: ContentSource,
    signal?: AbortSignal,
  ): Promise<number | undefined> {
    const sources = this.#expectedDigests.sourcesOf(path);
    const algorithms = [...new Set([this.#algorithm, ...sources.map(({ algorithm }) => algorithm)])];
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
      for (const code of new Set(["E092" as const, ...sources.map((source) => source.code)])) {
        this.#findings.add(code, path, detail);
      }
      return undefined;
    }
    const found = new Map(digesters.map((each) => [each.algorithm, each.digester.digest()]));
    const own = found.get(this.#algorithm) ?? "";
    // Malformed digests were reported when the inventory was parsed.
    if (own !== digest.toLowerCase() && malformed(this.#algorithm, digest) === undefined) {
      this.#findings.add("E092", path, `The ${this.#algorithm} is ${own}, but the inventory states ${digest}`);
    }
    for (const source of sources) {
      const real = found.get(source.algorithm) ?? "";
      if (this.#expectedDigests.has(source, real, path)) continue;
      const where = source.code === "E092" ? "an older inventory" : "the fixity block";
      this.#findings.add(source.code, path, `The ${source.algorithm} is ${real}, but ${where} states another one`);
    }
    return bytes;
  }
}

/** Ends reading an inventory when the slice is full. */
class SliceComplete extends Error {}

/** Reads the manifest's files in batches and counts them. */
class BatchReader {
  readonly #readOne: (entry: ManifestEntry) => Promise<number | undefined>;
  readonly #slice: ContentSlice;
  readonly #total = { files: 0, bytes: 0 };
  #batch: ManifestEntry[] = [];
  #seen = 0;
  #started: number;
  #read = 0;

  constructor(readOne: (entry: ManifestEntry) => Promise<number | undefined>, slice: ContentSlice) {
    this.#readOne = readOne;
    this.#slice = slice;
    this.#started = slice.from ?? 0;
  }

  /** Counts a file. Returns false for a file of an earlier slice. */
  isInSlice(): boolean {
    this.#seen += 1;
    return this.#seen > (this.#slice.from ?? 0);
  }

  add(entry: ManifestEntry): void {
    this.#batch.push(entry);
  }

  /** @throws SliceComplete if the slice is full and files remain */
  async readAll(): Promise<void> {
    if (this.#batch.length === 0) return;
    const work = this.#batch;
    this.#batch = [];
    let taken = 0;
    const reader = async () => {
      while (!this.#isFull) {
        const entry = work[taken++];
        if (entry === undefined) return;
        this.#started += 1;
        await this.#count(entry);
      }
    };
    await Promise.all(Array.from({ length: this.#slice.readers ?? READERS }, reader));
    if (this.#isFull && taken < work.length) throw new SliceComplete();
  }

  async #count(entry: ManifestEntry): Promise<void> {
    const bytes = await this.#readOne(entry);
    this.#read += Math.max(bytes ?? 0, MIN_FILE_COST);
    if (bytes === undefined) return;
    this.#total.files += 1;
    this.#total.bytes += bytes;
  }

  get #isFull(): boolean {
    return this.#slice.bytes !== undefined && this.#read >= this.#slice.bytes;
  }

  result(): ContentTotals {
    return this.#started < this.#seen ? { ...this.#total, next: this.#started } : this.#total;
  }
}
