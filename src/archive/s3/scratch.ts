import { mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";

/** After this time without a change, folders of other machines' processes count as abandoned. */
const FORGOTTEN_MS = 7 * 86_400_000;

/**
 * Creates a folder for this process below one that several processes may share, and removes folders of processes that
 * have ended.
 */
export async function makeScratch(shared: string): Promise<string> {
  await mkdir(shared, { recursive: true, mode: 0o700 });
  for (const name of await readdir(shared)) {
    if (await isLeft(join(shared, name), name)) await rm(join(shared, name), { recursive: true, force: true });
  }
  const folder = await mkdtemp(join(shared, `${hostname()}.${process.pid}.`));
  own.add(folder);
  return folder;
}

async function isLeft(path: string, name: string): Promise<boolean> {
  const [, host, pid] = /^(.*)\.(\d+)\.[^.]+$/.exec(name) ?? [];
  if (host === hostname()) return !isAlive(Number(pid)) || (Number(pid) === process.pid && !own.has(path));
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > FORGOTTEN_MS;
}

/** Folders that this process has created. A folder with this process's id from before a restart is abandoned. */
const own = new Set<string>();

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: string }).code !== "ESRCH";
  }
}
