import type { Dirent } from "node:fs";
import { lstat, opendir } from "node:fs/promises";
import { join } from "node:path";

/** `undecodable`: the name is not UTF-8, so that no inventory can contain it and Node.js cannot open it. */
export type EntryKind = "file" | "folder" | "link" | "other" | "undecodable";

export interface Entry {
  name: string;
  kind: EntryKind;
}

/** An entry below a folder. `path` is relative to that folder, with `/` as separator. */
export interface WalkEntry {
  path: string;
  kind: EntryKind | "empty";
}

/** Called for a folder that cannot be listed and is therefore skipped. */
export type OnUnreadable = (path: string, reason: string) => void;

/** The character by which Node.js replaces bytes of a name that are not UTF-8. */
const REPLACED = "\ufffd";

/** The entries of one folder, a thousand at a time; none for a folder that does not exist. */
export async function* entriesOf(folder: string): AsyncGenerator<Entry> {
  try {
    for await (const entry of await opendir(folder, { bufferSize: 1024 })) {
      yield { name: entry.name, kind: await kindOf(folder, entry) };
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

/** The kind of an entry. Links are not followed. */
async function kindOf(folder: string, entry: Dirent): Promise<EntryKind> {
  if (entry.name.includes(REPLACED)) {
    const isThere = await lstat(join(folder, entry.name)).catch(() => undefined);
    if (isThere === undefined) return "undecodable";
  }
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "folder";
  return entry.isSymbolicLink() ? "link" : "other";
}

/**
 * All entries below a folder, depth first. `empty` is reported for an empty folder, after its `folder`. Memory: a
 * thousand entries for each level of folders, whose number is limited by the length of a path.
 *
 * @throws the file system's error for a folder that cannot be listed, unless `onUnreadable` is given
 */
export async function* walk(folder: string, onUnreadable?: OnUnreadable): AsyncGenerator<WalkEntry> {
  const open = [{ path: "", entries: entriesOf(folder), isEmpty: true }];
  try {
    for (let at = open.at(-1); at !== undefined; at = open.at(-1)) {
      const next = await nextOf(at, onUnreadable);
      if (next === undefined) {
        open.pop();
        if (at.isEmpty) yield { path: at.path, kind: "empty" };
        continue;
      }
      at.isEmpty = false;
      const path = at.path === "" ? next.name : `${at.path}/${next.name}`;
      yield { path, kind: next.kind };
      if (next.kind === "folder") open.push({ path, entries: entriesOf(join(folder, path)), isEmpty: true });
    }
  } finally {
    for (const { entries } of open) await entries.return(undefined);
  }
}

async function nextOf(
  at: { path: string; entries: AsyncGenerator<Entry>; isEmpty: boolean },
  onUnreadable: OnUnreadable | undefined,
): Promise<Entry | undefined> {
  try {
    const { done, value } = await at.entries.next();
    return done ? undefined : value;
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code;
    if (onUnreadable === undefined || reason === undefined) throw error;
    at.isEmpty = false;
    onUnreadable(at.path, reason);
    return undefined;
  }
}
