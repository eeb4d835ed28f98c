import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** Everything below a folder that other processes change meanwhile. Folders that are removed meanwhile are left out. */
export async function entriesBelow(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const within = entries.filter((entry) => entry.isDirectory()).map(({ name }) => entriesBelow(join(folder, name)));
  return [...entries, ...(await Promise.all(within)).flat()];
}
