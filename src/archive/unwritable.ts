import { Problem } from "../submission/problems.ts";

/** The operator's turn: what the file system refuses, as a Problem; anything else as it is. */
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
