import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { freemem } from "node:os";

const FREE_BYTES = 8 * 2 ** 30;
let folder: string | undefined;

/**
 * Keeps the temporary files of the run in memory, where at least 8 GiB are free and TMPDIR is not set: tests write, sync and
 * remove many small files. Tests of full, slow and failing disks bring disks of their own.
 */
export default function setup(): void {
  // Once for all projects of a run.
  if (folder !== undefined || process.env.TMPDIR !== undefined || !hasSpace("/dev/shm")) return;
  folder = mkdtempSync("/dev/shm/accession-tests-");
  // Also for servers that run as another user.
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = folder;
  process.once("exit", () => rmSync(folder as string, { recursive: true, force: true }));
}

function hasSpace(path: string): boolean {
  if (!existsSync(path) || freemem() < FREE_BYTES) return false;
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize >= FREE_BYTES;
}
