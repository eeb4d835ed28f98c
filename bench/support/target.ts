import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, opendirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { onInterrupt } from "./children.ts";

/** Folders with fewer files are simply removed: so few inodes hold up nobody. */
const MANY_FILES = 5_000;

/**
 * A fresh folder for what one run writes; the work gets it, and afterwards it takes no space any more.
 *
 * Of many files only the contents are removed. For up to six minutes ext4 does not use the inodes of removed files
 * again, but looks through all of them for every new file (`recently_deleted` in fs/ext4/ialloc.c): copying 10,000
 * objects after a removal took three times as long as before it. {@link removeTargets} removes the empty files in the end.
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

/** Removes what all runs have left: to be called when everything is measured, for a million empty files are a million inodes. */
export function removeTargets(work: string): void {
  rmSync(join(work, "targets"), { recursive: true, force: true, maxRetries: 3 });
}

/** What cannot be cleared only takes room: that must not cost the figures. */
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
