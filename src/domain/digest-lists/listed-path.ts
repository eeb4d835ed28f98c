import { inMessage } from "../in-message.ts";

/** S3 limits keys to this number of bytes in UTF-8. */
const MOST_KEY_BYTES = 1_024;

/**
 * The key of a path in a digest list. `./` at the beginning is removed.
 *
 * @param base the folder to which paths are relative: empty, or with a slash at the end
 * @returns the fault, as a sentence, of a path that can name no file below the base
 */
export function keyOfListedPath(path: string, base: string): { key: string } | { fault: string } {
  const relative = path.replace(/^(?:\.\/+)+/, "");
  if (relative === "" || relative.endsWith("/")) return { fault: "The line names no file." };
  if (relative.startsWith("/") || /^[A-Za-z]:[\\/]/.test(relative))
    return { fault: "The path is absolute. Create the list in the folder of the files, so that paths are relative." };
  if (relative.split("/").includes("..")) return { fault: "The path contains “..”, which leads out of the folder." };
  if (relative.includes("\0")) return { fault: "The path contains a null character." };
  const key = base + relative;
  if (Buffer.byteLength(key) > MOST_KEY_BYTES) return { fault: "The path is longer than 1,024 bytes." };
  return { key };
}

/** The fault of a list none of whose files is selected, most often because its paths are relative to another folder. */
export function nothingSelected(base: string): string {
  const from = base === "" ? "the whole source" : `“${inMessage(base)}”`;
  return `The list names no selected file. Its paths are relative to ${from}. State another folder in “base”, or correct the selection.`;
}

/** The folder of a key, with a slash at the end; empty if it is in none. Also of a prefix, up to its last slash. */
export function folderOf(key: string): string {
  return key.slice(0, key.lastIndexOf("/") + 1);
}

/** A folder as a user states it, relative to the source: empty for the whole source, otherwise with a slash at the end. */
export function asFolder(base: string): string {
  const relative = base.replace(/^(?:\.?\/)+/, "");
  return relative === "" || relative.endsWith("/") ? relative : `${relative}/`;
}
