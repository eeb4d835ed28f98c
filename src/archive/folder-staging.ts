import { randomUUID } from "node:crypto";
import { readdir, rename, rm, symlink, unlink } from "node:fs/promises";
import { join } from "node:path";
import { Problem } from "../submission/problems.ts";
import { alreadyPublished } from "./already-published.ts";
import type { FileSystemLimits } from "./content-path.ts";
import { makeFolder, syncFolder } from "./durable.ts";
import { exists } from "./exists.ts";
import { FolderPackage } from "./folder-package.ts";
import { CONTENT, doorOf, type FolderReceiving, incomingFolder, isDoor } from "./folder-receiver.ts";
import type { PackageArea, StagingArea } from "./store.ts";
import type { SyncGroup } from "./sync-group.ts";
import { unwritable } from "./unwritable.ts";

/** The package while content gathers in it; whoever packages it gives it a name with the fence. */
const PACKAGE = "package";
const FENCED = /^package-(\d+)$/;

/** The folder of a package in the hands of whoever has this fence. */
export const packageFolder = (folder: string, fence: number): string => join(folder, `${PACKAGE}-${fence}`);
/** The folder of a package that nobody has taken over. */
export const plainPackageFolder = (folder: string): string => join(folder, PACKAGE);

/** The staging area in a folder: `incoming/` for files in flight, `package/` for what becomes the OCFL object. */
export class FolderStaging implements StagingArea {
  readonly folder: string;
  readonly limits: FileSystemLimits;
  readonly #group: SyncGroup;
  readonly #ends: readonly string[];

  /**
   * @param own.group what makes this folder's files durable, together with those of others
   * @param own.ends places that are taken once the dataset is published, or withdrawn
   */
  constructor(folder: string, limits: FileSystemLimits, own: { group: SyncGroup; ends: readonly string[] }) {
    this.folder = folder;
    this.limits = limits;
    this.#group = own.group;
    this.#ends = own.ends;
  }

  get content(): string {
    return join(this.folder, CONTENT);
  }

  async requireUnpublished(): Promise<void> {
    for (const place of this.#ends) if (await exists(place)) throw alreadyPublished();
  }

  async begin(attempt: number): Promise<void> {
    await this.requireUnpublished();
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
    await this.#takeOver(plainPackageFolder(this.folder));
    await makeFolder(this.content).catch(rethrow);
    await symlink(CONTENT, doorOf(this.folder, attempt)).catch((error: { code?: string }) => {
      // The attempt goes on: its door is open, and others may be going through it.
      if (error.code !== "EEXIST") rethrow(error);
    });
  }

  receiving(attempt: number): FolderReceiving {
    return { kind: "folder", folder: this.folder, attempt, limits: this.limits };
  }

  async sync(contentPaths: readonly string[]): Promise<void> {
    await this.#group.sync(this.content, contentPaths).catch(rethrow);
  }

  async package(fence: number): Promise<PackageArea> {
    await this.requireUnpublished();
    await rm(join(this.folder, "incoming"), { recursive: true, force: true });
    // Nothing of the attempt is to be placed any more.
    for (const name of await namesIn(this.folder)) if (isDoor(name)) await rm(join(this.folder, name));
    const folder = packageFolder(this.folder, fence);
    await this.#takeOver(folder, fence);
    await syncFolder(this.folder).catch(rethrow);
    const scratch = join(this.folder, `scratch-${fence}`);
    const area = new FolderPackage(folder, scratch, () => this.requireUnpublished());
    await area.clear().catch(rethrow);
    return area;
  }

  /**
   * Gives the package this name, in one step: paths through the name it had lead nowhere from then on. What else has a
   * name of a package was made by somebody who came too late.
   *
   * @throws Problem `wrong_state` when it has the name of a higher fence
   */
  async #takeOver(folder: string, fence = Number.POSITIVE_INFINITY): Promise<void> {
    // One look at all names: whoever takes it over meanwhile renames it away, and the rename here finds nothing.
    const names = await namesIn(this.folder);
    const fences = names.flatMap((name) => FENCED.exec(name)?.[1] ?? []).map(Number);
    if (fences.some((other) => other > fence)) {
      throw new Problem("wrong_state", "Somebody else has taken over the packaging");
    }
    const all = fences.sort((a, b) => a - b).map((other) => packageFolder(this.folder, other));
    if (names.includes(PACKAGE)) all.push(plainPackageFolder(this.folder));
    const real = all.pop();
    if (real !== undefined && real !== folder) {
      await rm(folder, { recursive: true, force: true });
      await rename(real, folder).catch(rethrow);
    }
    for (const other of all) if (other !== folder) await rm(other, { recursive: true, force: true });
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
