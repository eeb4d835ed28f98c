import { readFileSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** There is no free disk space for the files of the database. It has the code that the file system uses. */
export class DiskFull extends Error {
  override readonly name = "DiskFull";
  readonly code = "ENOSPC";
  readonly path: string;

  constructor(path: string, cause: unknown) {
    super("The disk is full", { cause });
    this.path = path;
  }
}

/** https://www.sqlite.org/rescode.html#busy */
const SQLITE_BUSY = 5;

/**
 * Locks an existing folder for this process; throws if another process has locked it. The lock is held by the operating
 * system (through SQLite's exclusive mode, the only portable file lock in Node), so it ends with the process in any case.
 *
 * @returns a function that releases the folder
 * @throws Error that names the holder; SQLite's error, or ENOSPC, if the folder cannot be written
 */
export function lockFolder(folder: string): () => void {
  const note = join(folder, "lock.pid");
  const lock = new DatabaseSync(join(folder, "lock"));
  try {
    lock.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE");
  } catch (cause) {
    lock.close();
    const { bavail } = statfsSync(folder);
    if (bavail === 0) throw new DiskFull(folder, cause);
    if ((cause as { errcode?: unknown }).errcode !== SQLITE_BUSY) throw cause;
    throw new Error(
      `${folder} is in use by another process of Accession${holder(note)}. Stop that process first. For a separate service, set another ACCESSION_DATA and another ACCESSION_ARCHIVE`,
      { cause },
    );
  }
  writeFileSync(note, String(process.pid));
  return () => lock.close();
}

function holder(note: string): string {
  try {
    return ` (${readFileSync(note, "utf8")})`;
  } catch {
    // The note is only for the error message; the lock does not depend on it.
    return "";
  }
}
