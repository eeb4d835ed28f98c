import { createHash } from "node:crypto";
import { escapeKey, isPlainKey, markerRun } from "../submission/path.ts";

/** What a file system can hold; decided once, when the archive is opened. */
export interface FileSystemLimits {
  /** Most bytes of a single name. */
  segmentBytes: number;
  /** True when it takes `A` and `a`, or two Unicode forms of a name, for the same file. */
  folding: boolean;
}

/**
 * The places below `v1/content/` at which an object's bytes may lie, best first (docs/package-format.md). The first
 * one follows the logical path and is left out where the file system cannot hold it; the last one, made from the
 * key's digest, always works. Two keys never share a place.
 */
export function contentPaths(key: string, odd: boolean, limits: FileSystemLimits): string[] {
  const natural = naturalPath(key, odd);
  const digest = createHash("sha256").update(key, "utf8").digest("hex");
  const fallback = `by-key/${digest.slice(0, 2)}/${digest}`;
  return natural !== undefined && fits(natural, limits) ? [natural, fallback] : [fallback];
}

function naturalPath(key: string, odd: boolean): string | undefined {
  if (odd || !isPlainKey(key)) return `data/%keys/${escapeKey(key)}`;
  // What stands where escaped keys stand could meet one of them.
  return markerRun(key) === undefined ? `data/${key}` : undefined;
}

function fits(path: string, limits: FileSystemLimits): boolean {
  if (limits.folding && !/^[\x21-\x40\x5b-\x7e/]*$/.test(path)) return false;
  return path.split("/").every((segment) => Buffer.byteLength(segment) <= limits.segmentBytes);
}
