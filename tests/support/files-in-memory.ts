import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { freemem } from "node:os";
import { join } from "node:path";

const MEMORY = "/dev/shm";
const FREE_BYTES = 8 * 2 ** 30;
/** Its process is part of the name, so that the folders of killed runs can be recognised. */
const NAME = /^accession-tests-(\d+)-/;
let folder: string | undefined;

/**
 * Keeps the temporary files of the run in memory, where at least 8 GiB are free and TMPDIR is not set: tests write, sync and
 * remove many small files. Tests of full, slow and failing disks bring disks of their own.
 */
export default function setup(): void {
  // Once for all projects of a run.
  if (folder !== undefined || process.env.TMPDIR !== undefined || !existsSync(MEMORY)) return;
  for (const name of readdirSync(MEMORY)) if (isOfEndedProcess(name)) remove(join(MEMORY, name));
  const { bavail, bsize } = statfsSync(MEMORY);
  if (Math.min(freemem(), bavail * bsize) < FREE_BYTES) return;
  const created = mkdtempSync(join(MEMORY, `accession-tests-${process.pid}-`));
  // Also for servers that run as another user.
  chmodSync(created, 0o1777);
  process.env.TMPDIR = created;
  process.once("exit", () => remove(created));
  folder = created;
}

function isOfEndedProcess(name: string): boolean {
  const [, id] = NAME.exec(name) ?? [];
  return id !== undefined && !existsSync(`/proc/${id}`);
}

/** Repeated if a program that is just ending writes another file. */
function remove(path: string): void {
  rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}
