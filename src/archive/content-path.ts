import { hash } from "node:crypto";
import { escapeKey, isPlainKey, markerRun } from "../domain/path.ts";

/** UTF-8 takes at most three bytes for a UTF-16 code unit. */
const WORST = 3;

/** What a file system or an object store can hold; decided once, when the archive is opened. */
export interface FileSystemLimits {
  /** Most bytes of a single name. */
  segmentBytes: number;
  /** True when it takes `A` and `a`, or two Unicode forms of a name, for the same file. */
  folding: boolean;
  /** Most bytes of a whole path below the content folder; undefined where names alone are bounded. */
  pathBytes?: number;
  /** True where control characters, U+FFFE and U+FFFF are refused, or come back spoilt. */
  textOnly?: boolean;
}

/**
 * The place below a version's content folder that follows the logical path (docs/package-format.md); undefined where the file
 * system cannot hold it. Two keys never share a place.
 */
export function naturalContentPath(key: string, odd: boolean, limits: FileSystemLimits): string | undefined {
  const natural = naturalPath(key, odd);
  return natural !== undefined && fits(natural, limits) ? natural : undefined;
}

/** The place that always works, made from the key's digest. @param attempt makes it one that no other attempt has */
export function fallbackContentPath(key: string, attempt?: number): string {
  const digest = hash("sha256", key);
  return `by-key/${digest.slice(0, 2)}/${digest}${attempt === undefined ? "" : `-${attempt}`}`;
}

function naturalPath(key: string, odd: boolean): string | undefined {
  if (odd || !isPlainKey(key)) return `data/%keys/${escapeKey(key)}`;
  // What stands where escaped keys stand could meet one of them.
  return markerRun(key) === undefined ? `data/${key}` : undefined;
}

function fits(path: string, limits: FileSystemLimits): boolean {
  if (limits.pathBytes !== undefined && Buffer.byteLength(path) > limits.pathBytes) return false;
  if (limits.textOnly && /[\x00-\x1f\x7f-\x9f\ufffe\uffff]/.test(path)) return false;
  if (limits.folding && !/^[\x21-\x40\x5b-\x7e/]*$/.test(path)) return false;
  if (path.length * WORST <= limits.segmentBytes) return true;
  return path.split("/").every((segment) => Buffer.byteLength(segment) <= limits.segmentBytes);
}
