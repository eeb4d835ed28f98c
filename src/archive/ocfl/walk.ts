import type { Dirent } from "node:fs";
import { opendir } from "node:fs/promises";
import { join } from "node:path";

/** What a walk meets. `path` is relative to where it began, with `/` between the parts. */
export interface Met {
  path: string;
  kind: "file" | "folder" | "empty" | "link" | "other";
}

/** The entries of one folder, a thousand at a time; none for a folder that is not there. */
export async function* entriesOf(folder: string): AsyncGenerator<Dirent> {
  try {
    yield* await opendir(folder, { bufferSize: 1024 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

/** What an entry is; a link is never followed. */
export function kindOf(entry: Dirent): "file" | "folder" | "link" | "other" {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "folder";
  return entry.isSymbolicLink() ? "link" : "other";
}

/**
 * Everything under a folder, depth first; `empty` is a folder with nothing in it, met after its `folder`. Memory:
 * the folders still to be read.
 */
export async function* walk(folder: string): AsyncGenerator<Met> {
  const waiting = [""];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    let entries = 0;
    for await (const entry of entriesOf(join(folder, at))) {
      entries += 1;
      const path = at === "" ? entry.name : `${at}/${entry.name}`;
      const kind = kindOf(entry);
      if (kind === "folder") waiting.push(path);
      yield { path, kind };
    }
    if (entries === 0) yield { path: at, kind: "empty" };
  }
}
