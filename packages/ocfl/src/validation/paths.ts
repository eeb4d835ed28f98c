import type { OcflCode } from "../codes.ts";
import type { Findings } from "../findings.ts";
import { HashTable } from "../io/hash-table.ts";

const FILE = 1;
const FOLDER = 2;
/** Folders known to be in the table already; most paths share theirs with the one before. */
const REMEMBERED = 10_000;

/** The codes for one kind of path: OCFL 1.1 sections 3.5.3.1 (logical) and 3.5.2 (content). */
interface PathCodes {
  element: OcflCode;
  slash: OcflCode;
  conflict: OcflCode;
}

export const LOGICAL: PathCodes = { element: "E052", slash: "E053", conflict: "E095" };
export const CONTENT: PathCodes = { element: "E099", slash: "E100", conflict: "E101" };

/** No file system takes longer or deeper paths; to look at them all the same takes the square of their length. */
const LONGEST = 32_768;
const MAX_DEPTH = 1_024;

type PathFault = "slash" | "element" | "size";

const WORDS: Readonly<Record<PathFault, string>> = {
  slash: "is empty or begins or ends with a slash",
  element: "has an empty part, “.” or “..”",
  size: `is more than can be checked: ${LONGEST} characters, or ${MAX_DEPTH} parts`,
};

/** Reports a path that OCFL forbids, and one that is too long to be checked (E000). True for a valid one. */
export function checkPath(path: string, codes: PathCodes, where: string, findings: Findings): boolean {
  const fault = pathFault(path);
  if (fault === undefined) return true;
  const code = fault === "size" ? "E000" : codes[fault];
  findings.add(code, where, `The path ${JSON.stringify(path.slice(0, LONGEST))} ${WORDS[fault]}`);
  return false;
}

/** The fault of a path; undefined for a valid one. */
export function pathFault(path: string): PathFault | undefined {
  if (path.length > LONGEST) return "size";
  if (path === "" || path.startsWith("/") || path.endsWith("/")) return "slash";
  // The usual path costs one look.
  const isShort = path.length <= MAX_DEPTH;
  if (isShort && !path.includes("//") && !path.startsWith(".") && !path.includes("/.")) return undefined;
  const parts = path.split("/");
  if (parts.length > MAX_DEPTH) return "size";
  return parts.some((part) => part === "" || part === "." || part === "..") ? "element" : undefined;
}

/** A path that another system than OCFL's has separated: one part, with backslashes in it. */
export function isBackslashed(path: string): boolean {
  return path.includes("\\") && !path.includes("/");
}

/** Where an invalid path would lead to, without empty parts, `.` and `..`. */
export function resolved(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}

/** The paths of one version or manifest: each may occur once, and none may be a folder of another. */
export class PathSet {
  readonly #table = new HashTable();
  readonly #folders = new Set<string>();
  #files = 0;

  /** Paths that were added, without those that occurred before. */
  get files(): number {
    return this.#files;
  }

  /** Paths and folders together. */
  get size(): number {
    return this.#table.size;
  }

  /** Takes a valid path; returns what it conflicts with, in words, or undefined. */
  add(path: string): string | undefined {
    const before = this.#table.mark(path, FILE);
    if ((before & FILE) !== 0) return "occurs more than once";
    this.#files += 1;
    if ((before & FOLDER) !== 0) return "is also a folder of another path";
    for (let slash = path.lastIndexOf("/"); slash > 0; slash = path.lastIndexOf("/", slash - 1)) {
      const folder = path.slice(0, slash);
      if (this.#folders.has(folder)) break;
      const was = this.#table.mark(folder, FOLDER);
      if ((was & FILE) !== 0) return `lies in ${JSON.stringify(folder)}, which is also a file`;
      if (this.#folders.size >= REMEMBERED) this.#folders.clear();
      this.#folders.add(folder);
      if ((was & FOLDER) !== 0) break;
    }
    return undefined;
  }

  /** True for a path that was added. */
  has(path: string): boolean {
    return ((this.#table.get(path) ?? 0) & FILE) !== 0;
  }

  clear(): void {
    this.#table.clear();
    this.#files = 0;
    this.#folders.clear();
  }
}
