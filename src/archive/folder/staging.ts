import { randomUUID } from "node:crypto";
import { readdir, rename, rm, symlink, unlink } from "node:fs/promises";
import { join } from "node:path";
import { Problem } from "../../domain/problems.ts";
import { alreadyPublished } from "../already-published.ts";
import type { FileSystemLimits } from "../content-path.ts";
import type { PackageArea, StagingArea } from "../store.ts";
import {
  attemptLink,
  attemptOfLink,
  type FolderContentWriterOptions,
  incomingFolder,
  stagedContent,
} from "./content-writer.ts";
import { exists, makeFolder, syncFolder, unwritable } from "./durable-writes.ts";
import { FolderPackage } from "./package.ts";
import type { SyncGroup } from "./sync-group.ts";
import { headIn } from "./versions.ts";

/** The package while it receives content. The worker that packages it adds the fence and the attempt to the name. */
const PACKAGE = "package";
/** Earlier releases omitted the attempt. Such a name counts as one of an earlier attempt. */
const FENCED = /^package-(\d+)(?:-of-attempt-(\d+))?$/;

/** The folder of the package with this fence; if no name contains it, the folder that received the content. */
export async function packageFolder(folder: string, fence: number): Promise<string> {
  const fenced = packagesAmong(await namesIn(folder)).find((one) => one.fence === fence);
  return join(folder, fenced?.name ?? PACKAGE);
}

/** Which version of which dataset a staging area is for. */
interface Purpose {
  /** The dataset's path in the storage root. */
  object: string;
  /** The path of its tombstone. */
  tombstone: string;
  version: number;
}

/** The staging area in a file system: `incoming/` for unfinished files, `package/` for the future OCFL object. */
export class FolderStaging implements StagingArea {
  readonly folder: string;
  readonly limits: FileSystemLimits;
  readonly #group: SyncGroup;
  readonly #purpose: Purpose;
  readonly #proveSame: () => Promise<void>;

  /**
   * @param own.group syncs the files of this staging area together with those of others
   * @param own.proveSame see `ArchiveStore.proveSame`
   */
  constructor(
    folder: string,
    limits: FileSystemLimits,
    own: { group: SyncGroup; purpose: Purpose; proveSame: () => Promise<void> },
  ) {
    this.folder = folder;
    this.limits = limits;
    this.#group = own.group;
    this.#purpose = own.purpose;
    this.#proveSame = own.proveSame;
  }

  get content(): string {
    return join(this.folder, stagedContent(this.#purpose.version));
  }

  async requireUnpublished(): Promise<void> {
    await this.#proveSame();
    const { object, tombstone, version } = this.#purpose;
    const isNext = version === 1 ? !(await exists(object)) : (await headIn(object)) === version - 1;
    if (!isNext || (await exists(tombstone))) throw alreadyPublished();
  }

  /** @throws Problem `wrong_state` when this attempt is being packaged, or a later one has begun; `already_published` */
  async begin(attempt: number): Promise<void> {
    await this.requireUnpublished();
    await this.#look(attempt);
    await makeFolder(incomingFolder(this.folder, attempt)).catch(rethrow);
    // Before the package is touched: the link tells a worker that still packages an earlier attempt that it is superseded.
    await symlink(stagedContent(this.#purpose.version), attemptLink(this.folder, attempt)).catch(
      (error: { code?: string }) => {
        // The attempt continues: its link exists, and other workers may be using it.
        if (error.code !== "EEXIST") rethrow(error);
      },
    );
    for (const name of await namesIn(join(this.folder, "incoming"))) {
      if (Number(name) >= attempt) continue;
      // Renamed in one step: from then on no file in it can be moved into the package.
      const trash = join(this.folder, `superseded-${randomUUID()}`);
      await rename(join(this.folder, "incoming", name), trash);
      await rm(trash, { recursive: true, force: true });
    }
    for (const name of await namesIn(this.folder)) {
      if (attemptOfLink(name) < attempt) await unlink(join(this.folder, name));
    }
    await this.#takeBack(attempt);
    await this.#renumber();
    await makeFolder(this.content).catch(rethrow);
    await this.#look(attempt);
    // Otherwise the area could have been begun below a bare mount point, and no file could be placed later.
    await this.#proveSame();
  }

  writerOptions(attempt: number): FolderContentWriterOptions {
    return { kind: "folder", needsConfirmation: false, folder: this.folder, attempt, limits: this.limits };
  }

  async sync(contentPaths: readonly string[]): Promise<void> {
    await this.#group.sync(this.content, contentPaths).catch(rethrow);
    await this.#proveSame();
  }

  async package(fence: number, attempt: number): Promise<PackageArea> {
    await this.requireUnpublished();
    const folder = await this.#takeOver(fence, attempt);
    // From now on no file of the attempt may be placed.
    for (const name of await namesIn(this.folder)) {
      if (attemptOfLink(name) <= attempt) await rm(join(this.folder, name), { force: true });
    }
    for (const name of await namesIn(join(this.folder, "incoming"))) {
      if (Number(name) <= attempt) await rm(join(this.folder, "incoming", name), { recursive: true, force: true });
    }
    await syncFolder(this.folder).catch(rethrow);
    const scratch = join(this.folder, `scratch-${fence}`);
    const { object, version } = this.#purpose;
    const area = new FolderPackage(folder, scratch, { object, version }, () => this.requireUnpublished());
    await area.clear().catch(rethrow);
    return area;
  }

  /**
   * Lists the folder if the attempt may still place files. Otherwise removes the attempt's link, which a worker created that
   * was frozen meanwhile.
   *
   * @throws Problem `wrong_state`
   */
  async #look(attempt: number): Promise<string[]> {
    const names = await namesIn(this.folder);
    const isPackaged = packagesAmong(names).some((one) => one.attempt >= attempt);
    if (!isPackaged && !names.some((name) => attemptOfLink(name) > attempt)) return names;
    await rm(attemptLink(this.folder, attempt), { force: true });
    throw new Problem("wrong_state", "The attempt is being packaged, or a later one has begun");
  }

  /** Reopens the package of an earlier attempt for content. */
  async #takeBack(attempt: number): Promise<void> {
    // All names come from one listing: if another worker takes the package over meanwhile, the rename here fails.
    const names = await this.#look(attempt);
    const packages = packagesAmong(names).map(({ name }) => name);
    const real = names.includes(PACKAGE) ? PACKAGE : packages.at(-1);
    await this.#become(PACKAGE, real, packages);
  }

  /** Keeps the content of an earlier attempt whose version had a lower number, because no metadata revision came between. */
  async #renumber(): Promise<void> {
    const own = `v${this.#purpose.version}`;
    const names = await namesIn(join(this.folder, PACKAGE));
    const earlier = names.find((name) => /^v[1-9]\d*$/.test(name));
    if (earlier === undefined || names.includes(own)) return;
    await rename(join(this.folder, PACKAGE, earlier), join(this.folder, PACKAGE, own)).catch(rethrow);
  }

  /**
   * Renames the package to contain this worker's fence, in one step. A superseded worker's paths become invalid. Superseded
   * workers made all other folders that are named like a package, so those are removed.
   *
   * @throws Problem `wrong_state` when a worker with a higher fence has it, or a later attempt has begun
   */
  async #takeOver(fence: number, attempt: number): Promise<string> {
    const names = await namesIn(this.folder);
    const packages = packagesAmong(names);
    const isLate = packages.some((one) => one.fence > fence || one.attempt > attempt);
    if (isLate || names.some((name) => attemptOfLink(name) > attempt)) {
      throw new Problem("wrong_state", "Another worker has taken over the packaging");
    }
    const own = packages.findLast((one) => one.attempt === attempt)?.name;
    const plain = names.includes(PACKAGE) ? PACKAGE : undefined;
    const target = `${PACKAGE}-${fence}-of-attempt-${attempt}`;
    const all = [...packages.map(({ name }) => name), ...(plain === undefined ? [] : [plain])];
    await this.#become(target, own ?? plain ?? all.at(-1), all);
    return join(this.folder, target);
  }

  async #become(target: string, real: string | undefined, all: readonly string[]): Promise<void> {
    if (real !== undefined && real !== target) {
      if (all.includes(target)) await rm(join(this.folder, target), { recursive: true, force: true });
      await rename(join(this.folder, real), join(this.folder, target)).catch(rethrow);
    }
    for (const other of all) {
      if (other !== target && other !== real) await rm(join(this.folder, other), { recursive: true, force: true });
    }
  }
}

/** The packages that workers have taken over, the highest fence last. */
function packagesAmong(names: readonly string[]): { name: string; fence: number; attempt: number }[] {
  return names
    .flatMap((name) => {
      const [, fence, attempt = 0] = FENCED.exec(name) ?? [];
      return fence === undefined ? [] : [{ name, fence: Number(fence), attempt: Number(attempt) }];
    })
    .sort((a, b) => a.fence - b.fence);
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
