import { type Dirent, lstatSync } from "node:fs";
import { opendir, readdir, rm, unlink } from "node:fs/promises";
import { join, relative } from "node:path";
import { makeFolder, syncFolder } from "./durable.ts";
import type { PackageArea } from "./store.ts";
import { unwritable } from "./unwritable.ts";

/** Folders of content; everything else in a package is written when it is packaged. */
const CONTENT_FOLDERS = ["data", "by-key"];
/** Folders of the package's own files, the deepest first. */
const OWN_FOLDERS = ["logs/v1", "logs", "v1/content/metadata", "v1/content", "v1", "."];
const BATCH = 1_000;

/** A package in a folder whose name carries the fence: once another has renamed it, its paths lead nowhere. */
export class FolderPackage implements PackageArea {
  readonly folder: string;
  readonly #content: string;
  readonly #scratch: string;

  readonly #requireUnpublished: () => Promise<void>;

  constructor(folder: string, scratch: string, requireUnpublished: () => Promise<void>) {
    this.#requireUnpublished = requireUnpublished;
    this.folder = folder;
    this.#content = join(folder, "v1/content");
    this.#scratch = scratch;
  }

  /** Removes everything but the placed content. */
  async clear(): Promise<void> {
    await makeFolder(this.#content);
    await removeAllBut(this.folder, ["v1"]);
    await removeAllBut(join(this.folder, "v1"), ["content"]);
    await removeAllBut(this.#content, CONTENT_FOLDERS);
    await makeFolder(join(this.#content, "metadata"));
    await makeFolder(join(this.folder, "logs/v1"));
  }

  async sizes(contentPaths: readonly string[]): Promise<(number | undefined)[]> {
    // Some microseconds each; going through the thread pool would take many times that.
    const content = this.#content;
    return contentPaths.map((path) => sizeOfFile(`${content}/${path}`));
  }

  async count(): Promise<number> {
    let files = 0;
    for await (const _ of filesBelow(this.#content, CONTENT_FOLDERS)) files++;
    return files;
  }

  async *placed(): AsyncGenerator<string[]> {
    let batch: string[] = [];
    for await (const { parentPath, name } of filesBelow(this.#content, CONTENT_FOLDERS)) {
      batch.push(relative(this.#content, join(parentPath, name)));
      if (batch.length === BATCH) {
        yield batch;
        batch = [];
      }
    }
    if (batch.length > 0) yield batch;
  }

  async remove(contentPaths: readonly string[]): Promise<void> {
    for (const path of contentPaths) await unlink(join(this.#content, path));
  }

  async moveAside(contentPath: string): Promise<string> {
    return contentPath;
  }

  async scratch(): Promise<string> {
    await rm(this.#scratch, { recursive: true, force: true });
    await makeFolder(this.#scratch).catch(rethrow);
    return this.#scratch;
  }

  async seal(): Promise<void> {
    await this.#requireUnpublished();
    await rm(this.#scratch, { recursive: true, force: true });
    await removeEmptyFolders(this.#content);
    for (const name of OWN_FOLDERS) await syncFolder(join(this.folder, name)).catch(rethrow);
    await syncFolder(join(this.folder, "..")).catch(rethrow);
  }

  async close(): Promise<void> {
    await rm(this.#scratch, { recursive: true, force: true });
  }
}

function rethrow(cause: unknown): never {
  throw unwritable(cause);
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
