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
