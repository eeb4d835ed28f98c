import { createHash } from "node:crypto";
import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { LocalFile } from "./local-files.ts";

/** A file was written to while it was read. */
export class ChangedFile extends Error {
  override readonly name = "ChangedFile";
}

/** The content of a small file, with its SHA-512 in hex. @throws ChangedFile; the error of the file system */
export async function readSmall(folder: string, file: LocalFile): Promise<{ content: Buffer; sha512: string }> {
  const content = await readFile(join(folder, file.path));
  await requireUnchanged(folder, file, content.length);
  return { content, sha512: createHash("sha512").update(content).digest("hex") };
}

/** @param read the number of bytes that were read @throws ChangedFile; the error of the file system */
export async function requireUnchanged(folder: string, file: LocalFile, read: number): Promise<void> {
  const { size, mtimeMs } = await lstat(join(folder, file.path));
  if (read !== file.bytes || size !== file.bytes || mtimeMs !== file.modified) throw new ChangedFile(file.path);
}
