import { open, stat } from "node:fs/promises";
import { Problem } from "../../domain/problems.ts";

export { makeFolder, syncFolder, writeDurably } from "../../../packages/ocfl/src/index.ts";

/** Makes the content of a file durable (fsync(2)). */
export async function syncFile(file: string): Promise<void> {
  const handle = await open(file, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Whether a file or folder exists at a path. */
export async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return false;
    throw error;
  }
}

/** Turns a refusal of the file system into a Problem for the operator. Returns other errors unchanged. */
export function unwritable(cause: unknown): unknown {
  const { code } = cause as { code?: string };
  if (code === "ENOSPC" || code === "EDQUOT") {
    return new Problem("no_space", "The archive’s disk is full", { cause });
  }
  if (code !== undefined && ["EROFS", "EACCES", "EPERM", "EIO", "EMFILE", "ENFILE", "EXDEV", "ENODEV"].includes(code)) {
    return new Problem("archive_unwritable", `The archive cannot be written (${code})`, { cause });
  }
  return cause;
}

/** Throws {@link unwritable} instead of an error of the file system. */
export function throwUnwritable(error: unknown): never {
  throw unwritable(error);
}
