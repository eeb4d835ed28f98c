import { randomUUID } from "node:crypto";
import { createReadStream, type Dirent, lstatSync } from "node:fs";
import { type FileHandle, mkdir, open, opendir, readdir, rename, rm, unlink } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { contentPaths, type FileSystemLimits } from "./content-path.ts";
import { makeFolder, syncFolder } from "./durable.ts";
import type { IncomingFile, StagingArea } from "./store.ts";
import { unwritable } from "./unwritable.ts";

/** Folders of content; everything else in a package is written when it is packaged. */
const CONTENT_FOLDERS = ["data", "by-key"];
/** A bound on what is remembered of folders that exist. */
const REMEMBERED_FOLDERS = 20_000;
const BATCH = 1_000;

/** The staging area in a folder: `incoming/` for files in flight, `package/` for what becomes the OCFL object. */
export class FolderStaging implements StagingArea {
  readonly folder: string;
  readonly limits: FileSystemLimits;
  readonly #made = new Set<string>();
  readonly #unsynced = new Set<string>();
  #syncing: Promise<void> = Promise.resolve();
  readonly #making = new Set<Promise<unknown>>();
  #closed = false;
  #attempt = 0;

  constructor(folder: string, limits: FileSystemLimits) {
    this.folder = folder;
    this.limits = limits;
  }

  get content(): string {
    return join(this.folder, "package", "v1", "content");
  }

  /** Lets nobody make anything here any more: the area is about to be removed. Waits for what is being made. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled(this.#making);
  }

  async begin(attempt: number): Promise<void> {
    this.#attempt = Math.max(this.#attempt, attempt);
    await Promise.allSettled(this.#making);
    const incoming = join(this.folder, "incoming");
    const present = await readdir(incoming).catch((error: { code?: string }) => {
      if (error.code === "ENOENT") return [];
      throw error;
    });
    for (const name of present) {
      if (name === String(attempt)) continue;
      // Gone in one step: from then on no file in it can be renamed to its place.
      const trash = join(this.folder, `superseded-${randomUUID()}`);
      await rename(join(incoming, name), trash);
      await rm(trash, { recursive: true, force: true });
    }
    this.#made.clear();
  }

  async receive(attempt: number): Promise<IncomingFile> {
    if (attempt < this.#attempt) throw new Error("A later attempt has begun");
    const incoming = join(this.folder, "incoming", String(attempt));
    await this.makeFolder(incoming);
    const path = join(incoming, randomUUID());
    return new IncomingFolderFile(this, path, await open(path, "wx+").catch(rethrow));
  }

  /** One after the other: a caller must not get ahead of a sync that another one has begun. */
  sync(): Promise<void> {
    const run = this.#syncing.then(() => this.#syncFolders());
    this.#syncing = run.catch(() => undefined);
    return run;
  }

  async #syncFolders(): Promise<void> {
    // A parent that somebody else is just making is a name that the caller's files depend on too.
    await Promise.allSettled(this.#making);
    for (const folder of this.#unsynced) {
      // Taken out first: a name that is added meanwhile puts the folder back.
      this.#unsynced.delete(folder);
      await syncFolder(folder).catch((cause: unknown) => {
        this.#unsynced.add(folder);
        throw unwritable(cause);
      });
    }
  }

  /** Makes a folder with its parents and remembers that their names are not durable yet. */
  async makeFolder(folder: string): Promise<void> {
    if (this.#closed) throw new Error("This staging area was removed");
    if (this.#made.has(folder)) return;
    const making = this.#make(folder);
    this.#making.add(making);
    await making.finally(() => this.#making.delete(making));
  }

  async #make(folder: string): Promise<void> {
    await mkdir(folder, { recursive: true });
    // Also for folders that exist: a process that died may have made them and not lived to sync their names.
    for (let at = folder; at.length > this.folder.length; at = dirname(at)) this.touched(dirname(at));
    this.touched(dirname(this.folder));
    if (this.#made.size >= REMEMBERED_FOLDERS) this.#made.clear();
    this.#made.add(folder);
  }

  /** A name in this folder is new and not durable yet. */
  touched(folder: string): void {
    this.#unsynced.add(folder);
  }

  async sizes(contentPaths: readonly string[]): Promise<(number | undefined)[]> {
    // Some microseconds each; going through the thread pool would take many times that.
    return contentPaths.map((path) => sizeOfFile(`${this.content}/${path}`));
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
    this.#made.clear();
    await makeFolder(folder).catch(rethrow);
    return folder;
  }

  async package(): Promise<string> {
    await rm(join(this.folder, "incoming"), { recursive: true, force: true });
    this.#made.clear();
    const folder = join(this.folder, "package");
    await this.makeFolder(this.content).catch(rethrow);
    await removeAllBut(folder, ["v1"]);
    await removeAllBut(join(folder, "v1"), ["content"]);
    await removeAllBut(this.content, CONTENT_FOLDERS);
    return folder;
  }

  async seal(): Promise<void> {
    await this.sync();
    await rm(join(this.folder, "scratch"), { recursive: true, force: true });
    await removeEmptyFolders(this.content);
    this.#made.clear();
    const folder = join(this.folder, "package");
    for (const name of ["logs/v1", "logs", "v1/content/metadata", "v1/content", "v1", "."]) {
      await syncFolder(join(folder, name)).catch(rethrow);
    }
    await syncFolder(this.folder).catch(rethrow);
  }
}

class IncomingFolderFile implements IncomingFile {
  readonly #area: FolderStaging;
  readonly #path: string;
  readonly #handle: FileHandle;
  #at = 0;

  constructor(area: FolderStaging, path: string, handle: FileHandle) {
    this.#area = area;
    this.#path = path;
    this.#handle = handle;
  }

  async write(chunk: Uint8Array): Promise<void> {
    for (let rest = chunk; rest.length > 0; ) {
      const { bytesWritten } = await this.#handle.write(rest, 0, rest.length, this.#at).catch(rethrow);
      this.#at += bytesWritten;
      rest = rest.subarray(bytesWritten);
    }
  }

  async restart(): Promise<void> {
    if (this.#at === 0) return;
    await this.#handle.truncate(0);
    this.#at = 0;
  }

  readBack(): AsyncIterable<Uint8Array> {
    return createReadStream(this.#path, { highWaterMark: 1024 * 1024 });
  }

  async place(key: string, odd: boolean): Promise<string | null> {
    await this.#handle.sync().catch(rethrow);
    await this.#handle.close();
    const candidates = contentPaths(key, odd, this.#area.limits);
    for (const [index, path] of candidates.entries()) {
      const target = join(this.#area.content, path);
      try {
        await this.#area.makeFolder(dirname(target));
        await rename(this.#path, target);
        this.#area.touched(dirname(target));
        return path === `data/${key}` ? null : path;
      } catch (error) {
        if (index === candidates.length - 1 || !isPlaceTaken(error)) throw unwritable(error);
      }
    }
    throw new Error("unreachable: there is always a last candidate");
  }

  async discard(): Promise<void> {
    // A place that could not be had is found out after the file was closed.
    if (this.#handle.fd !== -1) await this.#handle.close();
    await rm(this.#path, { force: true });
  }
}

/** A file where a folder is needed, or the other way round (`a` beside `a/b`), or a name that is too long after all. */
function isPlaceTaken(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code !== undefined && ["EEXIST", "ENOTDIR", "EISDIR", "ENOTEMPTY", "ENAMETOOLONG", "EINVAL"].includes(code);
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
    const path = join(folder, entry.name);
    if (entry.isDirectory() && (await removeEmptyFolders(path))) await rm(path, { recursive: true });
    else empty = false;
  }
  return empty;
}
