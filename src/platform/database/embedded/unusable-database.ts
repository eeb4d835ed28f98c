import { accessSync, constants, readdirSync, statfsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DiskFull } from "../lock.ts";

/** PostgreSQL's log grows by files of 16 MiB. */
const LEAST_FREE_BYTES = 32 << 20;

/** The embedded database cannot be opened. The message is for the operator. */
export class UnusableDatabase extends Error {
  override readonly name = "UnusableDatabase";
}

/**
 * Explains why the folder of an embedded database did not open. PGlite reports every cause as an abort, so the causes
 * outside the files are checked first.
 *
 * @param cause the error of PGlite or the operating system
 */
export function explainUnusable(folder: string, cause: unknown): Error {
  return unusableFolder(folder, cause) ?? explainDamaged(folder, cause);
}

/** The same for a database that could not be created in a new folder. */
export function explainNotCreated(folder: string, cause: unknown): Error {
  const outside = unusableFolder(dirname(folder), cause);
  if (outside !== undefined) return outside;
  const { stderr = "", code } = cause as { stderr?: string; code?: unknown };
  const said =
    stderr
      .trim()
      .split("\n")
      .find((line) => /error|broken|fail|ended|gave up/i.test(line)) ?? `exit code ${code}`;
  return new UnusableDatabase(`The embedded database cannot be created in ${folder} (${said.trim()})`, { cause });
}

/** @throws UnusableDatabase for a folder that is not empty, but has no complete database */
export function requireEmpty(folder: string): void {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  if (names.length > 0) throw explainDamaged(folder, new Error("PG_VERSION is missing"));
}

export function explainDamaged(folder: string, cause: unknown): UnusableDatabase {
  return new UnusableDatabase(
    `The embedded database in ${folder} is damaged (${reasonOf(cause)}). Restore ${dirname(folder)} from a backup. Without a ` +
      `backup, move the folder ${basename(folder)} away and run “accession rebuild”, which recreates the database from the archive`,
    { cause },
  );
}

/** The error of the file system, or a full disk; undefined if the folder can be used. */
function unusableFolder(folder: string, cause: unknown): Error | undefined {
  const { code } = cause as NodeJS.ErrnoException;
  if (code === "EMFILE" || code === "ENFILE") return cause as Error;
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    for (const name of readdirSync(folder)) accessSync(join(folder, name), constants.R_OK | constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    if (bavail * bsize >= LEAST_FREE_BYTES) return undefined;
  } catch (error) {
    return error as Error;
  }
  return new DiskFull(folder, cause);
}

function reasonOf(cause: unknown): string {
  const { message, errno, code } = cause as { message?: string; errno?: unknown; code?: unknown };
  const text = message?.replace(/\. Build with .*$/s, "").replace(/\.$/, "");
  return text || `PGlite: ${code ?? `error ${errno ?? "unknown"}`}`;
}
