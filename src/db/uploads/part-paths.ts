import { randomUUID } from "node:crypto";

/**
 * Parts of a file that are sent on their own (`Upload-Concat: partial` of the tus protocol) are rows of `upload_file` until they are
 * joined, with a path that no file can have: paths of files have no control characters. In the order of paths, they are before all
 * files.
 */
const PART = "\u0001";

/** Paths of files are greater than this. */
export const BEFORE_FILES = "\u0002";

export function newPartPath(): string {
  return `${PART}${randomUUID()}`;
}

export function isPart({ path }: { path: string }): boolean {
  return path.startsWith(PART);
}
