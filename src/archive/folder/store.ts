import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isUuid } from "../../domain/uuid.ts";
import type { RecordKind } from "../../publication/rules/publication.ts";
import { alreadyPublished, requireReceipt } from "../already-published.ts";
import type { FileSystemLimits } from "../content-path.ts";
import { type ChangeFiles, changeFilesIn } from "../identity/changes.ts";
import { IDENTITY, keepIdentity } from "../identity/identity.ts";
import { datasetFolder, makeStorageRoot } from "../layout.ts";
import { setTombstone, type Tombstone, tombstoneFolder } from "../receipts/tombstone.ts";
import { fileIn } from "../small-file.ts";
import type { ArchiveStore, Committed, ObjectPlace, SpaceReservation, StagingArea } from "../store.ts";
import { exists, makeFolder, syncFolder, throwUnwritable, unwritable } from "./durable-writes.ts";
import { FreeSpace, type Reserve } from "./free-space.ts";
import { SameFolder } from "./same-folder.ts";
import { FolderStaging, packageFolder } from "./staging.ts";
import { SyncGroup } from "./sync-group.ts";
import { headIn, publishVersion, receiptIn } from "./versions.ts";

/** Longer names fail on every file system in use. */
const SEGMENT_BYTES = 255;
const NAMING_TRIES = 5;
/** Prefix of folders that are being removed. Folders that a crash left are removed at the next start. */
const TRASH = ".trash-";

/** An archive in a folder: `ocfl/` is the storage root, `staging/` is beside it on the same device. */
export class FolderStore implements ArchiveStore {
  readonly id: string;
  readonly #same: SameFolder;
  readonly #root: string;
  readonly #space: FreeSpace;
  readonly #limits: FileSystemLimits;
  readonly #group: SyncGroup;
  readonly #changes: ChangeFiles;
  /**
   * Serialises the creation and removal of folders of the hierarchy. Otherwise a folder could be removed while it is
   * being used.
   */
  #naming: Promise<unknown> = Promise.resolve();

  private constructor(root: string, own: { id: string; same: SameFolder; reserve: Reserve; limits: FileSystemLimits }) {
    this.#root = root;
    this.id = own.id;
    this.#same = own.same;
    this.#space = new FreeSpace(root, own.reserve);
    this.#limits = own.limits;
    this.#group = new SyncGroup(join(root, "staging"));
    this.#changes = changeFilesIn(root);
  }

  /**
   * Opens the archive, and creates it if it does not exist.
   * @param known the id that the archive receives if it has none
   * @throws Error that states what the operator must correct
   */
  static async open(root: string, reserve: Reserve, known?: string): Promise<FolderStore> {
    const ocfl = join(root, "ocfl");
    const staging = join(root, "staging");
    await makeFolder(ocfl);
    await makeFolder(staging);
    await makeStorageRoot(ocfl);
    if ((await stat(ocfl)).dev !== (await stat(staging)).dev) {
      throw new Error(
        `${ocfl} and ${staging} are on different devices. Publication renames a folder, so both must be on the same file system`,
      );
    }
    const id = await keepIdentity(fileIn(root, IDENTITY), known);
    const limits = { segmentBytes: SEGMENT_BYTES, folding: await isFolding(staging) };
    return new FolderStore(root, { id, same: await SameFolder.open(root, id), reserve, limits });
  }

  staging(submissionId: string, datasetId: string, version: number): StagingArea {
    const purpose = { object: this.locate(datasetId), tombstone: tombstoneFolder(this.#root, datasetId), version };
    const own = { group: this.#group, purpose, proveSame: () => this.proveSame() };
    return new FolderStaging(this.#stagingFolder(submissionId), this.#limits, own);
  }

  freeBytes(): Promise<number> {
    return this.#space.freeBytes();
  }

  reserveBytes(): Promise<number> {
    return this.#space.reserveBytes();
  }

  proveSame(): Promise<void> {
    return this.#same.prove();
  }

  // Other causes are reported when a folder is written.
  ready(): Promise<void> {
    return this.proveSame();
  }

  async newestChange(): Promise<number> {
    await this.proveSame();
    return this.#changes.newest().catch(throwUnwritable);
  }

  async recordChange(number: number): Promise<boolean> {
    await this.proveSame();
    return this.#changes.record(number).catch(throwUnwritable);
  }

  async newestVersion(datasetId: string): Promise<number> {
    return (await headIn(this.locate(datasetId)).catch(throwUnwritable)) ?? 0;
  }

  hold(bytes: number, what: string): Promise<SpaceReservation> {
    return this.#space.hold(bytes, what);
  }

  /** Changes the archive. Resolves only if it is the archive that was opened, before and afterwards. */
  async #change(work: () => Promise<void>): Promise<void> {
    await this.proveSame();
    try {
      await work();
    } catch (error) {
      // What is missing may be in the archive, while another folder is in its place.
      await this.proveSame();
      throw unwritable(error);
    }
    await this.proveSame();
  }

  async publish(committed: Committed): Promise<void> {
    await this.#change(async () => {
      if (committed.version === 1) return this.#publishFirst(committed);
      const { dataset, version, receipt } = committed;
      const staging = this.#stagingFolder(committed.submission);
      const source = await packageFolder(staging, committed.fence);
      await publishVersion({ staging, package: source, object: this.locate(dataset), dataset, version }, receipt);
    });
    await this.forget(committed.submission);
  }

  async #publishFirst({ submission, dataset, fence, receipt }: Committed): Promise<void> {
    const target = this.locate(dataset);
    await this.#alone(async () => {
      if (await exists(target)) return requireReceipt(await receiptIn(target, 1), receipt);
      // With an older database, content of a withdrawn dataset can be staged again.
      if (await exists(tombstoneFolder(this.#root, dataset))) throw alreadyPublished();
      await this.#moveTo(target, await packageFolder(this.#stagingFolder(submission), fence));
    });
    // Needed even if a crash came right after the rename: the new name must be durable before the publication is
    // reported.
    await syncFolder(dirname(target));
  }

  /**
   * Moves a folder to its target. Repeats this if another process removes the empty parent folder after a withdrawal.
   */
  async #moveTo(target: string, from: string): Promise<void> {
    for (let tries = 1; ; tries++) {
      await makeFolder(dirname(target));
      try {
        return await rename(from, target);
      } catch (error) {
        const isAboveGone = (error as { code?: string }).code === "ENOENT" && (await exists(from));
        if (!isAboveGone || tries === NAMING_TRIES) throw error;
      }
    }
  }

  async addRecord(datasetId: string, kind: RecordKind, name: string, jws: string): Promise<void> {
    const object = this.locate(datasetId);
    const folder = join(object, "logs", kind);
    await this.#change(async () => {
      // Without this, a dataset that is being withdrawn would leave a folder with nothing but the record.
      if (!(await exists(join(object, "inventory.json")))) throw alreadyPublished();
      const record = fileIn(folder, name);
      const found = await record.read();
      if (found !== undefined) return requireReceipt(found, jws);
      // Never the folders above: those of a dataset that is being withdrawn would be created again.
      if (!(await exists(dirname(folder)))) throw alreadyPublished();
      await makeFolder(folder);
      await record.write(jws);
    });
  }

  forget(submissionId: string): Promise<void> {
    return this.discard(submissionId);
  }

  async discard(submissionId: string): Promise<void> {
    await this.proveSame();
    // Renamed first, so that a worker that still writes there cannot recreate the folder during its removal.
    const trash = this.#trash(`submission-${submissionId}`);
    await this.#throwAway(this.#stagingFolder(submissionId), trash);
    await empty(trash);
  }

  async removeLeftovers(): Promise<void> {
    await this.proveSame();
    const staging = join(this.#root, "staging");
    for (const name of await readdir(staging)) if (name.startsWith(TRASH)) await empty(join(staging, name));
  }

  async withdraw(tombstone: Tombstone): Promise<void> {
    await this.#change(async () => {
      const object = this.locate(tombstone.dataset.id);
      await setTombstone(this.#root, object, tombstone);
      const trash = this.#trash(`dataset-${tombstone.dataset.id}`);
      await this.#throwAway(object, trash);
      // Durable before any file is removed: after a power loss, no incomplete dataset may be visible.
      if (await exists(dirname(object))) await syncFolder(dirname(object));
      await syncFolder(dirname(trash));
      await this.#alone(() => this.#removeEmptyAbove(object));
      await empty(trash);
    });
  }

  /** The same path for the same thing, so that a repeated call removes what an earlier one has left. */
  #trash(name: string): string {
    return join(this.#root, "staging", `${TRASH}${name}`);
  }

  /** Moves a folder aside in one step. Does nothing if it does not exist. */
  async #throwAway(folder: string, trash: string): Promise<void> {
    try {
      // The remains of an earlier try would prevent the rename.
      if (await exists(folder)) await empty(trash);
      await rename(folder, trash);
    } catch (error) {
      if ((error as { code?: string }).code !== "ENOENT") throw unwritable(error);
    }
  }

  /** Removes empty parent folders: a storage root must not contain them (OCFL 1.1, section 4.2). */
  async #removeEmptyAbove(object: string): Promise<void> {
    const root = join(this.#root, "ocfl");
    for (let folder = dirname(object); folder !== root; folder = dirname(folder)) {
      const left = await rmdir(folder).catch((error: { code?: string }) => error.code);
      if (left === "ENOTEMPTY" || left === "EEXIST") return;
      if (left !== undefined && left !== "ENOENT") throw new Error(`${folder} cannot be removed (${left})`);
      if (await exists(dirname(folder))) await syncFolder(dirname(folder));
    }
  }

  async #alone<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#naming.then(work);
    this.#naming = result.catch(() => undefined);
    return result;
  }

  async staged(): Promise<string[]> {
    await this.proveSame();
    return (await readdir(join(this.#root, "staging"))).filter((name) => isUuid(name));
  }

  locate(datasetId: string): string {
    return join(this.#root, datasetFolder(datasetId));
  }

  placeOf(datasetId: string): ObjectPlace {
    return { kind: "folder", folder: this.locate(datasetId) };
  }

  async close(): Promise<void> {}

  #stagingFolder(submissionId: string): string {
    return join(this.#root, "staging", submissionId);
  }
}

async function empty(trash: string): Promise<void> {
  await rm(trash, { recursive: true, force: true, maxRetries: 3 });
}

/** Tests whether the file system treats names that differ in case or in Unicode form as the same name. */
async function isFolding(folder: string): Promise<boolean> {
  const probe = join(folder, `.probe-${randomUUID()}`);
  await mkdir(probe, { recursive: true });
  try {
    for (const name of ["a", "A", "\u00e9", "e\u0301"]) await writeFile(join(probe, name), "");
    return (await readdir(probe)).length !== 4;
  } finally {
    await rm(probe, { recursive: true, force: true });
  }
}
