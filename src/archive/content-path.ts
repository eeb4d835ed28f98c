import { hash } from "node:crypto";
import { escapeKey, isPlainKey, markerRun } from "../submission/path.ts";

/** UTF-8 takes at most three bytes for a UTF-16 code unit. */
const WORST = 3;

/** What a file system can hold; decided once, when the archive is opened. */
export interface FileSystemLimits {
  /** Most bytes of a single name. */
  segmentBytes: number;
  /** True when it takes `A` and `a`, or two Unicode forms of a name, for the same file. */
  folding: boolean;
}

/**
 * The place below `v1/content/` that follows the logical path (docs/package-format.md); undefined where the file
 * system cannot hold it. Two keys never share a place.
 */
export function naturalContentPath(key: string, odd: boolean, limits: FileSystemLimits): string | undefined {
  const natural = naturalPath(key, odd);
  return natural !== undefined && fits(natural, limits) ? natural : undefined;
}

/** The place that always works, made from the key's digest. */
export function fallbackContentPath(key: string): string {
  const digest = hash("sha256", key);
  return `by-key/${digest.slice(0, 2)}/${digest}`;
}

function naturalPath(key: string, odd: boolean): string | undefined {
  if (odd || !isPlainKey(key)) return `data/%keys/${escapeKey(key)}`;
  // What stands where escaped keys stand could meet one of them.
  return markerRun(key) === undefined ? `data/${key}` : undefined;
}

function fits(path: string, limits: FileSystemLimits): boolean {
  if (limits.folding && !/^[\x21-\x40\x5b-\x7e/]*$/.test(path)) return false;
  if (path.length * WORST <= limits.segmentBytes) return true;
  return path.split("/").every((segment) => Buffer.byteLength(segment) <= limits.segmentBytes);
}
