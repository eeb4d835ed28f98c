import { createHash } from "node:crypto";
import { lstat } from "node:fs/promises";
import { join, sep } from "node:path";
import {
  type CopyLayout,
  isPathInside,
  isTagFileOfBag,
  layoutOf,
  pathInCopy,
} from "../../../packages/client/src/index.ts";
import { HashTable, RegularFiles, walk } from "../../../packages/ocfl/src/index.ts";
import { namesInPackages } from "../../../packages/rules/src/index.ts";
import { forEachConcurrently } from "../../archive/for-each-concurrently.ts";
import { reasonOf } from "../terminal/failure.ts";

/** A file of the dataset. */
export interface ListedFile {
  path: string;
  /** Lower-case hex. */
  sha512: string;
  /** Undefined if the list does not state it. */
  bytes?: number | undefined;
}

/**
 * - `identical`: the copy has the same bytes.
 * - `different`: the copy has other bytes, or they cannot be read. `reason` says which.
 * - `missing`: the dataset has the file, and the copy does not.
 * - `unknown`: the copy has the file, and the dataset does not.
 */
export type Result = "identical" | "different" | "missing" | "unknown";

/** The result for one file. `path` is that of the dataset, and for an unknown file that of the copy. */
export interface Compared {
  path: string;
  result: Result;
  reason?: string;
  /** The size in the dataset. */
  bytes?: number;
  /** Digest of the file in the dataset, and of the copy if it was read and differs. */
  expected?: string;
  found?: string;
}

export type Counts = Record<Result, number>;

/** What the comparison does with files that are on one side only for a known reason. They have no result. */
export interface SetAside {
  /** Files that Accession created, which a copy of the content does not contain, or which a package contains with other names. */
  created: number;
  /** Files outside of `data/` that the list does not cover. */
  unlisted: number;
  /** Files of a bag. */
  bag: number;
}

export interface Options {
  /** False for a list that has only the objects of the bucket. */
  listsEveryFile: boolean;
  report(compared: Compared): void;
  /** Called while files are read, with the bytes that were read. */
  onRead?(bytes: number): void;
}

/** Files that are read at the same time. */
const AT_ONCE = 4;
const BUFFER = 1 << 20;
/** The first files of the list, by which the layout is detected. */
const PROBED = 1_000;
/** File system errors that mean that a file with this name does not exist, or cannot exist. */
const ABSENT = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG"]);
/** It names the files of a package, and is compared at the end. */
const CRATE = "ro-crate-metadata.json";
/** The code of `RegularFiles` for entries that are not files. */
const NOT_A_FILE = "not a file";

/**
 * Compares a folder with the files of a dataset: call {@link take} for each batch of the list, then {@link finish}. Links
 * are not followed, and nothing is read outside of the folder. Files are hashed as streams. Memory is about 50 bytes for
 * each file, outside the JavaScript heap, because the names of known files are kept as hashes.
 */
export class FolderComparison {
  readonly counts: Counts = { identical: 0, different: 0, missing: 0, unknown: 0 };
  readonly setAside: SetAside = { created: 0, unlisted: 0, bag: 0 };
  #crate: ListedFile | undefined;
  #isRenamed = false;
  /** Undefined until the first batch. */
  layout: CopyLayout | undefined;
  readonly #folder: string;
  readonly #files: RegularFiles;
  readonly #known = new HashTable();
  readonly #options: Options;

  constructor(folder: string, options: Options) {
    this.#folder = folder;
    this.#files = new RegularFiles(folder);
    this.#options = options;
  }

  /** Compares these files of the dataset with the folder. */
  async take(listed: readonly ListedFile[]): Promise<void> {
    const layout = await this.#layoutFor(listed);
    await forEachConcurrently(listed, AT_ONCE, async (file) => {
      const path = await this.#nameInCopy(file.path, layout);
      if (path === undefined) {
        this.setAside.created += 1;
        return;
      }
      this.#known.set(path, 1);
      if (path === CRATE) this.#crate = file;
      else this.#report(await this.#compare(file, path));
    });
  }

  /** The name of a file in the copy: the first that exists of those in packages. Undefined if a copy of this layout has no such file. */
  async #nameInCopy(path: string, layout: CopyLayout): Promise<string | undefined> {
    const [own, ...others] = namesInPackages(path).map((name) => pathInCopy(name, layout));
    if (own === undefined || others.length === 0 || (await this.#has(own))) return own;
    for (const other of others) {
      if (other === undefined || !(await this.#has(other))) continue;
      this.#isRenamed = true;
      return other;
    }
    return own;
  }

  async #has(path: string): Promise<boolean> {
    return isInside(path) && this.#files.has(path);
  }

  /** The crate of a package in which files have other names states these names, so that it differs. */
  async #compareCrate(crate: ListedFile): Promise<void> {
    const compared = await this.#compare(crate, CRATE);
    if (compared.result === "different" && this.#isRenamed) this.setAside.created += 1;
    else this.#report(compared);
  }

  /** Reports the files of the folder that were not in the list. */
  async finish(): Promise<void> {
    this.layout ??= "content";
    if (this.#crate !== undefined) await this.#compareCrate(this.#crate);
    const unreadable: Compared[] = [];
    const onUnreadable = (path: string, code: string) =>
      unreadable.push({ path: `${path}/`, result: "unknown", reason: `cannot be listed: ${reasonOf({ code })}` });
    for await (const { path, kind } of walk(this.#folder, onUnreadable)) {
      if (kind === "folder" || kind === "empty") continue;
      if (await this.#isKnown(path)) continue;
      if (this.#isSetAside(path)) continue;
      this.#report({ path, result: "unknown", ...(kind !== "file" && { reason: KINDS[kind] }) });
    }
    for (const one of unreadable) this.#report(one);
  }

  async #layoutFor(listed: readonly ListedFile[]): Promise<CopyLayout> {
    this.layout ??= await layoutOf(
      listed.slice(0, PROBED).map(({ path }) => path),
      (path) => this.#has(path),
    );
    return this.layout;
  }

  async #compare({ path, sha512, bytes }: ListedFile, inCopy: string): Promise<Compared> {
    const facts = { path, ...(bytes !== undefined && { bytes }), expected: sha512 };
    if (!isInside(inCopy)) return { ...facts, result: "missing", reason: "a folder cannot contain this path" };
    try {
      const found = await this.#read(inCopy, bytes);
      if (found.sha512 === sha512) return { ...facts, result: "identical" };
      const reason = found.sha512 === undefined ? `has ${found.bytes} bytes, not ${bytes}` : "has another SHA-512";
      return { ...facts, result: "different", reason, ...(found.sha512 !== undefined && { found: found.sha512 }) };
    } catch (error) {
      const code = (error as { code?: string }).code ?? "";
      if (ABSENT.has(code)) return { ...facts, result: "missing" };
      const reason = code === NOT_A_FILE ? "not a regular file" : `cannot be read: ${reasonOf(error)}`;
      return { ...facts, result: "different", reason };
    }
  }

  /** The digest of a file; only its size if that is not the expected one. */
  async #read(path: string, expected: number | undefined): Promise<{ bytes: number; sha512?: string }> {
    const handle = await this.#files.open(path);
    try {
      const { size } = await handle.stat();
      if (expected !== undefined && size !== expected) return { bytes: size };
      const hash = createHash("sha512");
      const buffer = Buffer.allocUnsafe(Math.min(BUFFER, size + 1));
      for (let bytes = 0; ; ) {
        const { bytesRead } = await handle.read(buffer, 0, buffer.length, bytes);
        if (bytesRead === 0) return { bytes, sha512: hash.digest("hex") };
        hash.update(buffer.subarray(0, bytesRead));
        bytes += bytesRead;
        this.#options.onRead?.(bytesRead);
      }
    } finally {
      await handle.close();
    }
  }

  /** Whether the list has this file. macOS can return a name in another normalization form than it was written in. */
  async #isKnown(path: string): Promise<boolean> {
    if (this.#known.get(path) !== undefined) return true;
    for (const form of ["NFC", "NFD"] as const) {
      const other = path.normalize(form);
      if (other !== path && this.#known.get(other) !== undefined && (await this.#isSame(path, other))) return true;
    }
    return false;
  }

  async #isSame(path: string, other: string): Promise<boolean> {
    const [one, two] = await Promise.all(
      [path, other].map((name) => lstat(join(this.#folder, name), { bigint: true }).catch(() => undefined)),
    );
    return one !== undefined && two !== undefined && one.dev === two.dev && one.ino === two.ino;
  }

  #isSetAside(path: string): boolean {
    if (this.layout !== "package") return false;
    if (isTagFileOfBag(path)) this.setAside.bag += 1;
    else if (!this.#options.listsEveryFile && !path.startsWith("data/")) this.setAside.unlisted += 1;
    else return false;
    return true;
  }

  #report(compared: Compared): void {
    this.counts[compared.result] += 1;
    this.#options.report(compared);
  }
}

const KINDS = { link: "a link, not followed", other: "not a regular file", undecodable: "its name is not UTF-8" };

function isInside(path: string): boolean {
  return isPathInside(path, sep === "/" ? "/" : `/${sep}`);
}
