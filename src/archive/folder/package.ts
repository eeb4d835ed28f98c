import { type Dirent, lstatSync } from "node:fs";
import { opendir, readdir, rm, unlink } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import type { EarlierPackage, PackageArea } from "../store.ts";
import { contentOf, inventoryOf, logsOf } from "../versions.ts";
import { makeFolder, syncFolder, unwritable } from "./durable-writes.ts";

/** Folders of content. All other files of a package are written when it is packaged. */
const CONTENT_FOLDERS = ["data", "by-key"];
const BATCH = 1_000;

/**
 * A package in a folder whose name contains the fence. When another worker renames the folder, this worker's paths
 * become invalid.
 */
export class FolderPackage implements PackageArea {
  readonly folder: string;
  readonly #content: string;
  readonly #scratch: string;
  readonly #object: string;
  readonly #version: number;
  readonly #requireUnpublished: () => Promise<void>;

  /** @param of.object the dataset's path in the storage root */
  constructor(
    folder: string,
    scratch: string,
    of: { object: string; version: number },
    requireUnpublished: () => Promise<void>,
  ) {
    this.folder = folder;
    this.#content = join(folder, contentOf(of.version));
    this.#scratch = scratch;
    this.#object = of.object;
    this.#version = of.version;
    this.#requireUnpublished = requireUnpublished;
  }

  /** Removes everything except the placed content. */
  async clear(): Promise<void> {
    await makeFolder(this.#content);
    await removeAllBut(this.folder, [`v${this.#version}`]);
    await removeAllBut(dirname(this.#content), ["content"]);
    await removeAllBut(this.#content, CONTENT_FOLDERS);
    await makeFolder(join(this.#content, "metadata"));
    await makeFolder(join(this.folder, logsOf(this.#version)));
  }

  async earlier(): Promise<EarlierPackage | undefined> {
    if (this.#version === 1) return undefined;
    return {
      inventory: join(this.#object, inventoryOf(this.#version - 1)),
      sizes: async (paths) => paths.map((path) => sizeOfFile(`${this.#object}/${path}`)),
    };
  }

  async sizes(contentPaths: readonly string[]): Promise<(number | undefined)[]> {
    // Synchronous: a call takes some microseconds, many times less than through the thread pool.
    const content = this.#content;
    return contentPaths.map((path) => sizeOfFile(`${content}/${path}`));
  }

  async count(): Promise<number> {
    let files = 0;
    for await (const _ of filesBelow(this.#content, CONTENT_FOLDERS)) files++;
    return files;
  }

  async *storedPaths(): AsyncGenerator<string[]> {
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

  async finalize(): Promise<void> {
    await this.#requireUnpublished();
    await rm(this.#scratch, { recursive: true, force: true });
    await removeEmptyFolders(this.#content);
    const content = contentOf(this.#version);
    // Deepest folders first.
    for (const name of [logsOf(this.#version), "logs", `${content}/metadata`, content, `v${this.#version}`, "."]) {
      await syncFolder(join(this.folder, name)).catch(rethrow);
    }
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

/** Size of the file at a path; undefined if it does not exist or is a folder. */
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

/** Files below some folders of a root. Keeps one level of folders in memory. */
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

/**
 * Removes empty folders, which OCFL does not allow in content. Excluded objects can leave them. @returns whether it is
 * empty
 */
async function removeEmptyFolders(folder: string): Promise<boolean> {
  let empty = true;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory() && (await removeEmptyFolders(join(folder, entry.name)))) {
      await rm(join(folder, entry.name), { recursive: true });
    } else empty = false;
  }
  return empty;
}
