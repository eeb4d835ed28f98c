import { hash } from "node:crypto";
import { escapeKey } from "../../packages/rules/src/index.ts";
import { isPlainKey, markerRun } from "../domain/keys-and-paths/path.ts";

/** UTF-8 needs at most three bytes for a UTF-16 code unit. */
const WORST = 3;

/** The limits of a file system or an object store. Determined once, when the archive is opened. */
export interface FileSystemLimits {
  /** Maximum number of bytes of a single name. */
  segmentBytes: number;
  /** True if it treats `A` and `a`, or two Unicode forms of a name, as the same file. */
  folding: boolean;
  /** Maximum number of bytes of the whole path below the content folder; undefined if only names are limited. */
  pathBytes?: number;
  /** True if it refuses or alters control characters, U+FFFE and U+FFFF. */
  textOnly?: boolean;
}

/**
 * The path below a version's content folder that follows the logical path (docs/package-format.md). Undefined if the
 * file system cannot store it. Two keys never have the same path.
 */
export function naturalContentPath(key: string, odd: boolean, limits: FileSystemLimits): string | undefined {
  const natural = naturalPath(key, odd);
  return natural !== undefined && fits(natural, limits) ? natural : undefined;
}

/**
 * A path made of the key's digest, which every file system can store. @param attempt makes the path unique to this
 * attempt
 */
export function fallbackContentPath(key: string, attempt?: number): string {
  const digest = hash("sha256", key);
  return `by-key/${digest.slice(0, 2)}/${digest}${attempt === undefined ? "" : `-${attempt}`}`;
}

function naturalPath(key: string, odd: boolean): string | undefined {
  if (odd || !isPlainKey(key)) return `data/%keys/${escapeKey(key)}`;
  // An unescaped key with a marker could collide with an escaped key.
  return markerRun(key) === undefined ? `data/${key}` : undefined;
}

function fits(path: string, limits: FileSystemLimits): boolean {
  if (limits.pathBytes !== undefined && Buffer.byteLength(path) > limits.pathBytes) return false;
  if (limits.textOnly && /[\x00-\x1f\x7f-\x9f\ufffe\uffff]/.test(path)) return false;
  if (limits.folding && !/^[\x21-\x40\x5b-\x7e/]*$/.test(path)) return false;
  if (path.length * WORST <= limits.segmentBytes) return true;
  return path.split("/").every((segment) => Buffer.byteLength(segment) <= limits.segmentBytes);
}
