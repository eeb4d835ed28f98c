import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Whether this process can mount file systems, which root in a container often cannot. */
export const canMount = process.platform === "linux" && process.getuid?.() === 0 && tryMount();

function tryMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "accession-mount-"));
  const isMounted = spawnSync("mount", ["-t", "tmpfs", "tmpfs", folder]).status === 0;
  if (isMounted) spawnSync("umount", [folder]);
  rmdirSync(folder);
  return isMounted;
}

/** Mounts a folder at another path. */
export async function bindMount(folder: string, at: string): Promise<void> {
  await run("mount", ["--bind", folder, at]);
}

/** Detaches a mount at once, also while files in it are open, as `umount -l` does. */
export async function unmount(at: string): Promise<void> {
  await run("umount", ["-l", at]);
}
