import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, rmdir, stat, statfs, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { size } from "../../domain/numbers.ts";
import { Problem } from "../../domain/problems.ts";
import { requireReceipt } from "../already-published.ts";
import type { FileSystemLimits } from "../content-path.ts";
import { makeStorageRoot, objectFolder } from "../layout.ts";
import { setTombstone, type Tombstone, tombstoneFolder } from "../receipts/tombstone.ts";
import type { ArchiveStore, Committed, ObjectPlace, SpaceReservation, StagingArea } from "../store.ts";
import { exists, makeFolder, syncFolder, unwritable } from "./durable-writes.ts";
import { FolderStaging, packageFolder } from "./staging.ts";
import { SyncGroup } from "./sync-group.ts";
import { publishVersion, receiptIn } from "./versions.ts";

/** Bytes that are never filled: a share of the disk, and at least so many. */
export interface Reserve {
  share: number;
  bytes: number;
}

/** Names longer than this fail on every file system in use. */
const SEGMENT_BYTES = 255;
const NAMING_TRIES = 5;
/** Folders that are being removed; what a crash left of them goes at the next start. */
const TRASH = ".trash-";
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** An archive in a folder: `ocfl/` is the storage root, `staging/` lies beside it on the same device. */
export class FolderStore implements ArchiveStore {
  readonly #root: string;
  readonly #reserve: Reserve;
  readonly #limits: FileSystemLimits;
  readonly #group: SyncGroup;
  /** Bytes set aside and not written yet. */
  #held = 0;
  /** Folders of the hierarchy are made and removed one after another, or one could go while it is being used. */
  #naming: Promise<unknown> = Promise.resolve();

  private constructor(root: string, reserve: Reserve, limits: FileSystemLimits) {
    this.#root = root;
    this.#reserve = reserve;
    this.#limits = limits;
    this.#group = new SyncGroup(join(root, "staging"));
  }

  /**
   * Opens the archive, making it when it is not there.
   * @throws Error that says what the operator has to mend
   */
  static async open(root: string, reserve: Reserve): Promise<FolderStore> {
    const ocfl = join(root, "ocfl");
    const staging = join(root, "staging");
    await makeFolder(ocfl);
    await makeFolder(staging);
    await makeStorageRoot(ocfl);
    if ((await stat(ocfl)).dev !== (await stat(staging)).dev) {
      throw new Error(`${ocfl} and ${staging} lie on different devices; publication is a rename and needs one device`);
    }
    return new FolderStore(root, reserve, { segmentBytes: SEGMENT_BYTES, folding: await isFolding(staging) });
  }

  staging(submissionId: string, datasetId: string, version: number): StagingArea {
    const purpose = { object: this.locate(datasetId), tombstone: tombstoneFolder(this.#root, datasetId), version };
    return new FolderStaging(this.#stagingFolder(submissionId), this.#limits, { group: this.#group, purpose });
  }

  async freeBytes(): Promise<number> {
    const { bavail, blocks, bsize } = await statfs(this.#root);
    return bavail * bsize - Math.max(this.#reserve.bytes, this.#reserve.share * blocks * bsize);
  }

  async ready(): Promise<void> {
    // Whatever keeps a folder from being written shows when it is written, and costs nothing to try.
  }

  async hold(bytes: number): Promise<SpaceReservation> {
    const room = (await this.freeBytes()) - this.#held;
    if (bytes > room) throw new Problem("no_space", `The archive has room for ${size(Math.max(0, room))} more`);
    this.#held += bytes;
    let left = bytes;
    const use = (written: number) => {
      const used = Math.min(written, left);
      left -= used;
      this.#held -= used;
    };
    return { use, release: () => use(left) };
  }

  async publish(committed: Committed): Promise<void> {
    try {
      if (committed.version === 1) await this.#publishFirst(committed);
      else {
        const { dataset, version, receipt } = committed;
        const staging = this.#stagingFolder(committed.submission);
        const source = await packageFolder(staging, committed.fence);
        await publishVersion({ staging, package: source, object: this.locate(dataset), dataset, version }, receipt);
      }
    } catch (error) {
      throw unwritable(error);
    }
    await this.forget(committed.submission);
  }

  async #publishFirst({ submission, dataset, fence, receipt }: Committed): Promise<void> {
    const target = this.locate(dataset);
    await this.#alone(async () => {
      if (await exists(target)) return requireReceipt(await receiptIn(target, 1), receipt);
      await this.#moveTo(target, await packageFolder(this.#stagingFolder(submission), fence));
    });
    // Also after a crash right behind the rename: the new name must be durable before anybody is told of it.
    await syncFolder(dirname(target));
  }

  /** Another process may remove the empty folder above, after a withdrawal, just when it is made here. */
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

  forget(submissionId: string): Promise<void> {
    return this.discard(submissionId);
  }

  async discard(submissionId: string): Promise<void> {
    // Moved away first: whoever still writes there can then no longer bring the folder back while it is removed.
    const trash = this.#trash(`submission-${submissionId}`);
    await this.#throwAway(this.#stagingFolder(submissionId), trash);
    await empty(trash);
  }

  async removeLeftovers(): Promise<void> {
    const staging = join(this.#root, "staging");
    for (const name of await readdir(staging)) if (name.startsWith(TRASH)) await empty(join(staging, name));
  }

  async withdraw(tombstone: Tombstone): Promise<void> {
    const object = this.locate(tombstone.dataset.id);
    await setTombstone(this.#root, object, tombstone);
    const trash = this.#trash(`dataset-${tombstone.dataset.id}`);
    await this.#throwAway(object, trash);
    // Durable before anything in it is removed: after power loss half a dataset must not be visible.
    if (await exists(dirname(object))) await syncFolder(dirname(object));
    await syncFolder(dirname(trash));
    await this.#alone(() => this.#removeEmptyAbove(object));
    await empty(trash);
  }

  /** Always the same place for the same thing, so that whoever tries again removes what an earlier try has left. */
  #trash(name: string): string {
    return join(this.#root, "staging", `${TRASH}${name}`);
  }

  /** Moves a folder out of sight in one step; does nothing where there is none. */
  async #throwAway(folder: string, trash: string): Promise<void> {
    try {
      // What an earlier try has left would be in the way.
      if (await exists(folder)) await empty(trash);
      await rename(folder, trash);
    } catch (error) {
      if ((error as { code?: string }).code !== "ENOENT") throw unwritable(error);
    }
  }

  /** A storage root has no empty folders between itself and its objects (OCFL 1.1, section 4.2). */
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
    return (await readdir(join(this.#root, "staging"))).filter((name) => UUID.test(name));
  }

  locate(datasetId: string): string {
    return join(this.#root, "ocfl", objectFolder(`urn:uuid:${datasetId}`));
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

/** Tries out whether the file system tells apart names that differ in case or in Unicode form. */
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
