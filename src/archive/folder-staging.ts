import { randomUUID } from "node:crypto";
import { type Dirent, lstatSync } from "node:fs";
import { opendir, readdir, rename, rm, symlink, unlink } from "node:fs/promises";
import { join, relative } from "node:path";
import type { FileSystemLimits } from "./content-path.ts";
import { makeFolder, syncFolder } from "./durable.ts";
import { CONTENT, doorOf, incomingFolder, isDoor, type Receiving } from "./folder-receiver.ts";
import type { StagingArea } from "./store.ts";
import type { SyncGroup } from "./sync-group.ts";
import { unwritable } from "./unwritable.ts";

/** Folders of content; everything else in a package is written when it is packaged. */
const CONTENT_FOLDERS = ["data", "by-key"];
const BATCH = 1_000;

/** The staging area in a folder: `incoming/` for files in flight, `package/` for what becomes the OCFL object. */
export class FolderStaging implements StagingArea {
  readonly folder: string;
  readonly limits: FileSystemLimits;
  readonly #group: SyncGroup;

  /** @param group what makes this folder's files durable, together with those of others */
  constructor(folder: string, limits: FileSystemLimits, group: SyncGroup) {
    this.folder = folder;
    this.limits = limits;
    this.#group = group;
  }

  get content(): string {
    return join(this.folder, CONTENT);
  }

  async begin(attempt: number): Promise<void> {
    for (const name of await namesIn(join(this.folder, "incoming"))) {
      if (name === String(attempt)) continue;
      // Gone in one step: from then on no file in it can be renamed to its place.
      const trash = join(this.folder, `superseded-${randomUUID()}`);
      await rename(join(this.folder, "incoming", name), trash);
      await rm(trash, { recursive: true, force: true });
    }
    for (const name of await namesIn(this.folder)) {
      if (isDoor(name) && join(this.folder, name) !== doorOf(this.folder, attempt))
        await unlink(join(this.folder, name));
    }
    await makeFolder(incomingFolder(this.folder, attempt)).catch(rethrow);
    await makeFolder(this.content).catch(rethrow);
    await symlink(CONTENT, doorOf(this.folder, attempt)).catch((error: { code?: string }) => {
      // The attempt goes on: its door is open, and others may be going through it.
      if (error.code !== "EEXIST") rethrow(error);
    });
  }

  receiving(attempt: number): Receiving {
    return { folder: this.folder, attempt, limits: this.limits };
  }

  async sync(contentPaths: readonly string[]): Promise<void> {
    await this.#group.sync(this.content, contentPaths).catch(rethrow);
  }

  async sizes(contentPaths: readonly string[]): Promise<(number | undefined)[]> {
    // Some microseconds each; going through the thread pool would take many times that.
    const { content } = this;
    return contentPaths.map((path) => sizeOfFile(`${content}/${path}`));
  }

  async count(): Promise<number> {
    let files = 0;
    for await (const _ of filesBelow(this.content, CONTENT_FOLDERS)) files++;
    return files;
  }

  async *placed(): AsyncGenerator<string[]> {
    let batch: string[] = [];
    for await (const { parentPath, name } of filesBelow(this.content, CONTENT_FOLDERS)) {
      batch.push(relative(this.content, join(parentPath, name)));
      if (batch.length === BATCH) {
        yield batch;
        batch = [];
      }
    }
    if (batch.length > 0) yield batch;
  }

  async remove(contentPaths: string[]): Promise<void> {
    for (const path of contentPaths) await unlink(join(this.content, path));
  }

  async scratch(): Promise<string> {
    const folder = join(this.folder, "scratch");
    await rm(folder, { recursive: true, force: true });
    await makeFolder(folder).catch(rethrow);
    return folder;
  }

  async package(): Promise<string> {
    await rm(join(this.folder, "incoming"), { recursive: true, force: true });
    // Nothing of the attempt is to be placed any more.
    for (const name of await namesIn(this.folder)) if (isDoor(name)) await rm(join(this.folder, name));
    const folder = join(this.folder, "package");
    await makeFolder(this.content).catch(rethrow);
    await removeAllBut(folder, ["v1"]);
    await removeAllBut(join(folder, "v1"), ["content"]);
    await removeAllBut(this.content, CONTENT_FOLDERS);
    return folder;
  }

  async seal(): Promise<void> {
    await rm(join(this.folder, "scratch"), { recursive: true, force: true });
    await removeEmptyFolders(this.content);
    const folder = join(this.folder, "package");
    for (const name of ["logs/v1", "logs", "v1/content/metadata", "v1/content", "v1", "."]) {
      await syncFolder(join(folder, name)).catch(rethrow);
    }
    await syncFolder(this.folder).catch(rethrow);
  }
}

function rethrow(cause: unknown): never {
  throw unwritable(cause);
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: { code?: string }) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
}

async function removeAllBut(folder: string, kept: string[]): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!kept.includes(name)) await rm(join(folder, name), { recursive: true, force: true });
  }
}

/** Bytes of what lies at a path; undefined when that is nothing, or a folder. */
function sizeOfFile(path: string): number | undefined {
  try {
    const found = lstatSync(path);
    return found.isDirectory() ? undefined : found.size;
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}

/** Files below some folders of a root; folders are held one level at a time. */
async function* filesBelow(root: string, folders: string[]): AsyncGenerator<Dirent> {
  const open = folders.map((name) => join(root, name));
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const entries = await opendir(folder, { bufferSize: BATCH }).catch((error: { code?: string }) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    if (entries === undefined) continue;
    for await (const entry of entries) {
      if (entry.isDirectory()) open.push(join(folder, entry.name));
      else yield entry;
    }
  }
}

/** OCFL wants no empty folders in content; an object that was excluded can leave one. Returns whether it is empty. */
async function removeEmptyFolders(folder: string): Promise<boolean> {
  let empty = true;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory() && (await removeEmptyFolders(join(folder, entry.name)))) {
      await rm(join(folder, entry.name), { recursive: true });
    } else empty = false;
  }
  return empty;
}
