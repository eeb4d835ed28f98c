import { createHash, getHashes } from "node:crypto";
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { Findings } from "./findings.ts";
import type { InventoryFacts } from "./inventory-survey.ts";
import { CONTENT, checkPath } from "./paths.ts";
import { type JsonVisitor, type Leaf, readJson } from "./read-json.ts";
import type { Met } from "./walk.ts";

/** Files read at a time, unless told otherwise. */
const READERS = 8;
const BUFFER = 256 << 10;
/** What a file counts at least when a slice is filled: to open one takes time too. */
const LEAST = 4_096;

/** OCFL's names of digests (OCFL 1.1, section 3.4) to those of node:crypto. */
const ALGORITHMS: Record<string, string> = {
  md5: "md5",
  sha1: "sha1",
  sha256: "sha256",
  sha512: "sha512",
  "sha512/256": "sha512-256",
  "blake2b-512": "blake2b512",
};

/** One promise of an inventory: the file at `path` has this digest. */
interface Expected {
  code: "E092" | "E093";
  algorithm: string;
  digest: string;
  path: string;
}

/** Which part of an object's content is read, and how hard. */
export interface Slice {
  /** How many of the inventory's promises were looked at before; 0 begins anew. */
  from?: number;
  /** Bytes after which no further file is begun, of each file 4 KiB at least; without it everything is read. */
  bytes?: number;
  /** Files read at a time. */
  readers?: number;
}

/** Content that does not lie in the object's folder. Paths are relative to it. */
export interface ContentElsewhere {
  /** Everything below a content folder. */
  walk(contentFolder: string): AsyncIterable<Met>;
  /** The digest of a file, in lower-case hex, and its length. @throws Error with the code `ENOENT` when it is missing */
  digest(path: string, algorithm: string, signal?: AbortSignal): Promise<{ digest: string; bytes: number }>;
}

/** What was read. `next` is where the next slice begins; absent when the last promise was looked at. */
export interface ContentRead {
  files: number;
  bytes: number;
  next?: number;
}

/**
 * Re-reads every byte that an inventory's manifest (E092) and fixity block (E093) speak for and compares digests.
 * The inventory is streamed and files are read as they come by, so memory does not grow with their number.
 * Fixity digests of algorithms that are not known here are passed over, as section 3.5.4 allows.
 */
export async function checkContent(
  folder: string,
  inventory: string,
  facts: InventoryFacts,
  findings: Findings,
  { signal, content, ...slice }: Slice & { signal?: AbortSignal | undefined; content?: ContentElsewhere } = {},
): Promise<ContentRead> {
  const algorithm = facts.digestAlgorithm ?? "sha512";
  const reading = new Reading(content ?? inFolder(folder), findings, slice, signal);
  const visitor: JsonVisitor = {
    open() {},
    value(path: readonly string[], value: Leaf, inArray: boolean) {
      const [member, second = "", third = ""] = path;
      if (!inArray || typeof value !== "string") return;
      if (member === "manifest" && path.length === 2 && isReadable(value) && reading.wants()) {
        if (!liesInContent(value, facts)) findings.add("E042", value, "The path lies in no version's content folder");
        reading.add({ code: "E092", algorithm, digest: second, path: value });
      }
      if (member !== "fixity" || path.length !== 3) return;
      if (!checkPath(value, CONTENT, inventory, findings)) return;
      if (isKnown(second) && reading.wants()) {
        reading.add({ code: "E093", algorithm: second, digest: third, path: value });
      }
    },
    pause: () => reading.readAll(),
  };
  try {
    await readJson(join(folder, inventory), visitor, signal);
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
  }
  return reading.result();
}

/** Ends the reading of an inventory early: the slice is full. */
class Enough extends Error {}

/** Promises that came by and wait for their files to be read, and what was read so far. */
class Reading {
  readonly #content: Pick<ContentElsewhere, "digest">;
  readonly #findings: Findings;
  readonly #slice: Slice;
  readonly #signal: AbortSignal | undefined;
  readonly #total = { files: 0, bytes: 0 };
  #batch: Expected[] = [];
  #met = 0;
  #begun: number;
  #read = 0;

  constructor(
    content: Pick<ContentElsewhere, "digest">,
    findings: Findings,
    slice: Slice,
    signal: AbortSignal | undefined,
  ) {
    this.#content = content;
    this.#findings = findings;
    this.#slice = slice;
    this.#signal = signal;
    this.#begun = slice.from ?? 0;
  }

  /** Counts a promise; false for one that an earlier slice looked at. */
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
        await this.#readOne(expected);
      }
    };
    await Promise.all(Array.from({ length: this.#slice.readers ?? READERS }, reader));
    if (this.#isFull && taken < work.length) throw new Enough();
  }

  async #readOne(expected: Expected): Promise<void> {
    this.#signal?.throwIfAborted();
    const bytes = await checkFile(this.#content, expected, this.#findings, this.#signal);
    this.#read += Math.max(bytes ?? 0, LEAST);
    if (expected.code !== "E092" || bytes === undefined) return;
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

/** The digest of a file, in lower-case hex, and its length. Links are not followed. Throws file system errors. */
export async function digestFile(
  file: string,
  algorithm: string,
  buffer: Buffer = Buffer.allocUnsafe(BUFFER),
  signal?: AbortSignal,
): Promise<{ digest: string; bytes: number }> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const hash = createHash(nodeAlgorithm(algorithm));
    for (let bytes = 0; ; ) {
      signal?.throwIfAborted();
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, bytes);
      if (bytesRead === 0) return { digest: hash.digest("hex"), bytes };
      hash.update(buffer.subarray(0, bytesRead));
      bytes += bytesRead;
    }
  } finally {
    await handle.close();
  }
}

/** Buffers are used again by whoever reads next. */
function inFolder(folder: string): Pick<ContentElsewhere, "digest"> {
  const free: Buffer[] = [];
  return {
    async digest(path, algorithm, signal) {
      const buffer = free.pop() ?? Buffer.allocUnsafe(BUFFER);
      try {
        return await digestFile(join(folder, path), algorithm, buffer, signal);
      } finally {
        free.push(buffer);
      }
    },
  };
}

/** The name that node:crypto has for a digest. */
export function nodeAlgorithm(algorithm: string): string {
  return ALGORITHMS[algorithm] ?? algorithm;
}

async function checkFile(
  content: Pick<ContentElsewhere, "digest">,
  { code, algorithm, digest, path }: Expected,
  findings: Findings,
  signal: AbortSignal | undefined,
): Promise<number | undefined> {
  try {
    const found = await content.digest(path, algorithm, signal);
    if (found.digest !== digest.toLowerCase()) {
      findings.add(code, path, `The ${algorithm} is ${found.digest}, the inventory says ${digest}`);
    }
    return found.bytes;
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code;
    if (signal?.aborted || typeof reason !== "string") throw error;
    findings.add(code, path, reason === "ENOENT" ? "The file is missing" : `The file cannot be read (${reason})`);
    return undefined;
  }
}

function liesInContent(path: string, { versions, contentDirectory }: InventoryFacts): boolean {
  const slash = path.indexOf("/");
  return versions.has(path.slice(0, slash)) && path.startsWith(`${contentDirectory}/`, slash + 1);
}

/** Invalid content paths are named by the survey; nothing outside the object is read for their sake. */
function isReadable(path: string): boolean {
  return path !== "" && !path.includes("\0") && !path.split("/").some((part) => part === "" || /^\.\.?$/.test(part));
}

function isKnown(algorithm: string): boolean {
  const name = ALGORITHMS[algorithm];
  return name !== undefined && getHashes().includes(name);
}
