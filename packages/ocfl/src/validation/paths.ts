import type { OcflCode } from "../codes.ts";
import type { Findings } from "../findings.ts";
import { HashTable } from "../io/hash-table.ts";

const FILE = 1;
const FOLDER = 2;
/** Maximum number of folders that are remembered. Most paths have the same folder as the previous one. */
const REMEMBERED = 10_000;

/** The codes for one kind of path: OCFL 1.1 sections 3.5.3.1 (logical) and 3.5.2 (content). */
interface PathCodes {
  element: OcflCode;
  slash: OcflCode;
  conflict: OcflCode;
}

export const LOGICAL: PathCodes = { element: "E052", slash: "E053", conflict: "E095" };
export const CONTENT: PathCodes = { element: "E099", slash: "E100", conflict: "E101" };

/**
 * Limits for the length and depth of a path. No file system has longer ones, and a check would take time in proportion
 * to the square of the length.
 */
const LONGEST = 32_768;
const MAX_DEPTH = 1_024;

type PathFault = "slash" | "element" | "size";

const WORDS: Readonly<Record<PathFault, string>> = {
  slash: "is empty or begins or ends with a slash",
  element: "has an empty part, “.” or “..”",
  size: `exceeds the limits of the check: ${LONGEST} characters, or ${MAX_DEPTH} parts`,
};

/** Reports a path that OCFL forbids, or that is too long to be checked (E000). Returns true for a valid path. */
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
  // Fast path for usual paths.
  const isShort = path.length <= MAX_DEPTH;
  if (isShort && !path.includes("//") && !path.startsWith(".") && !path.includes("/.")) return undefined;
  const parts = path.split("/");
  if (parts.length > MAX_DEPTH) return "size";
  return parts.some((part) => part === "" || part === "." || part === "..") ? "element" : undefined;
}

/** Whether a path uses backslashes as separators: it has one part, with backslashes in it. */
export function isBackslashed(path: string): boolean {
  return path.includes("\\") && !path.includes("/");
}

/** The path to which an invalid path refers, without empty parts, `.` and `..`. */
export function resolved(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}

/** The paths of one version or manifest. Each may occur once, and none may be a folder of another. */
export class PathSet {
  readonly #table = new HashTable();
  readonly #folders = new Set<string>();
  #files = 0;

  /** Number of different paths. */
  get files(): number {
    return this.#files;
  }

  /** Number of paths and folders together. */
  get size(): number {
    return this.#table.size;
  }

  /** Adds a valid path. Returns a description of its conflict with another path, or undefined. */
  add(path: string): string | undefined {
    const before = this.#table.mark(path, FILE);
    if ((before & FILE) !== 0) return "occurs more than once";
    this.#files += 1;
    if ((before & FOLDER) !== 0) return "is also a folder of another path";
    for (let slash = path.lastIndexOf("/"); slash > 0; slash = path.lastIndexOf("/", slash - 1)) {
      const folder = path.slice(0, slash);
      if (this.#folders.has(folder)) break;
      const was = this.#table.mark(folder, FOLDER);
      if ((was & FILE) !== 0) return `is in ${JSON.stringify(folder)}, which is also a file`;
      if (this.#folders.size >= REMEMBERED) this.#folders.clear();
      this.#folders.add(folder);
      if ((was & FOLDER) !== 0) break;
    }
    return undefined;
  }

  /** Whether a path was added. */
  has(path: string): boolean {
    return ((this.#table.get(path) ?? 0) & FILE) !== 0;
  }

  clear(): void {
    this.#table.clear();
    this.#files = 0;
    this.#folders.clear();
  }
}
