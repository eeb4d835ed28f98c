import { createHash } from "node:crypto";
import { mkdir, open, rename, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/** Makes the names in a folder durable (fsync(2) of the folder itself). */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Creates a folder and every missing parent, durably: when the call resolves, the new names survive a power loss. Does
 * nothing for a folder that exists. `mode` applies to the folder itself.
 */
export async function makeFolder(folder: string, mode = 0o755): Promise<void> {
  const path = resolve(folder);
  try {
    await mkdir(path, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" && (await stat(path)).isDirectory()) return;
    if (code !== "ENOENT" || path === dirname(path)) throw error;
    const parent = dirname(path);
    await makeFolder(parent);
    // The recursive option of mkdir is not used: on a file system that refuses to create folders (/proc) it never ends.
    await mkdir(path, { mode }).catch((again: NodeJS.ErrnoException) => {
      if (again.code !== "EEXIST") throw again;
    });
  }
  await syncFolder(dirname(path));
}

/**
 * Writes a small file so that it is either absent or complete, also after a power loss: temporary name, fsync, rename,
 * fsync of the folder. Returns the SHA-512 of the content in lower-case hexadecimal.
 */
export async function writeDurably(
  file: string,
  content: string | Uint8Array,
  options: { mode?: number } = {},
): Promise<string> {
  const temporary = `${file}.tmp`;
  const handle = await open(temporary, "w", options.mode ?? 0o644);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
  await syncFolder(dirname(file));
  return createHash("sha512").update(content).digest("hex");
}
