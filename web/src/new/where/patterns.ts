import type { Node } from "./tree.ts";

/** The pattern of all keys. */
export const EVERYTHING = "**";

/** The pattern of a folder and everything below it. @param path with its slash */
export function patternOf(path: string): string {
  return `${escaped(path)}**`;
}

/** The pattern of the files directly in a folder. @param path with its slash; empty for the bucket */
export function ownPattern(path: string): string {
  return `${escaped(path)}*`;
}

/** A backslash makes the next character literal. */
function escaped(path: string): string {
  return path.replaceAll(/[\\*?]/g, "\\$&");
}

/** Whether a check box can represent a pattern: that of a folder, of the files directly in a folder, or of all keys. */
export function isOfFolder(pattern: string): boolean {
  return /^(?:(?:[^\\*?]|\\.)*\/)?\*{1,2}$/s.test(pattern);
}

/** Whether all keys of a folder pattern are below a node. Always false for other patterns. */
export function isWithin(pattern: string, { kind, path, pattern: own }: Node): boolean {
  if (kind !== "folder") return pattern === own;
  return isOfFolder(pattern) && folderOf(pattern).startsWith(path);
}

/** The path of the folder that a pattern names, without escapes. */
function folderOf(pattern: string): string {
  return pattern.replace(/\*{1,2}$/, "").replaceAll(/\\(.)/gs, "$1");
}

/** A folder pattern without unnecessary escapes, so that equal patterns are equal texts; other patterns unchanged. */
export function canonical(pattern: string): string {
  if (!isOfFolder(pattern)) return pattern;
  return pattern.endsWith("**") ? patternOf(folderOf(pattern)) : ownPattern(folderOf(pattern));
}
