import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, opendirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { onInterrupt } from "./children.ts";

/** Folders with fewer files are simply removed, because few freed inodes do not slow down later runs. */
const MANY_FILES = 5_000;

/**
 * Runs work with a new folder, and frees its disk space afterwards.
 *
 * If the folder has many files, only their contents are removed. For up to six minutes, ext4 does not reuse the inodes of
 * removed files, but searches all of them for every new file (`recently_deleted` in fs/ext4/ialloc.c). Copying 10,000
 * objects after a removal took three times as long as before. {@link removeTargets} removes the empty files at the end.
 */
export async function withTarget<T>(work: string, use: (target: string) => Promise<T>): Promise<T> {
  const targets = join(work, "targets");
  mkdirSync(targets, { recursive: true });
  const target = mkdtempSync(join(targets, "run-"));
  const forget = onInterrupt(() => clear(target));
  try {
    return await use(target);
  } finally {
    forget();
    clear(target);
  }
}

/** Removes the empty files of all runs. Call it after all measurements, because removing files slows down later runs. */
export function removeTargets(work: string): void {
  rmSync(join(work, "targets"), { recursive: true, force: true, maxRetries: 3 });
}

/** Ignores errors, because files that cannot be cleared only use disk space and must not discard the results. */
function clear(target: string): void {
  if (!hasMany(target)) rmSync(target, { recursive: true, force: true, maxRetries: 3 });
  else execFileSync("bash", ["-c", 'find "$1" -type f -print0 | xargs -0 -n 512 truncate -s 0; true', "bash", target]);
}

function hasMany(folder: string): boolean {
  const entries = opendirSync(folder, { recursive: true });
  try {
    for (let count = 0; count < MANY_FILES; count++) if (entries.readSync() === null) return false;
    return true;
  } finally {
    entries.closeSync();
  }
}
