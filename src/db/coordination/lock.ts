import { readFileSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** There is no space for the database’s files, as the file system itself would say it. */
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
 * Takes an existing folder for this process alone, and refuses when another process has it. The lock is the operating
 * system's (through SQLite's exclusive mode, the one portable file lock that Node brings along), so it is gone with
 * the process, however that ends.
 *
 * @returns a function that gives the folder back
 * @throws Error that names the holder; SQLite's error, or ENOSPC, when the folder cannot be written
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
      `${folder} is in use by another process of Accession${holder(note)}: stop it, or set ACCESSION_DATA`,
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
    // The note is a courtesy; the lock itself does not need it.
    return "";
  }
}
