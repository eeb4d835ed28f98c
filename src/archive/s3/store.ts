import { rm } from "node:fs/promises";
import { ROOT_DECLARATION } from "../../../packages/ocfl/src/index.ts";
import { isUuid } from "../../domain/uuid.ts";
import type { RecordKind } from "../../publication/rules/publication.ts";
import { alreadyPublished, requireReceipt } from "../already-published.ts";
import type { FileSystemLimits } from "../content-path.ts";
import { ChangeFiles } from "../identity/changes.ts";
import { IDENTITY, keepIdentity, otherArchive, requireIdentity } from "../identity/identity.ts";
import { datasetFolder } from "../layout.ts";
import { RECEIPT } from "../receipts/logs.ts";
import type { Tombstone } from "../receipts/tombstone.ts";
import type { SmallFile } from "../small-file.ts";
import type { ArchiveStore, Committed, ObjectPlace, SpaceReservation, StagingArea } from "../store.ts";
import { logsOf } from "../versions.ts";
import { Bucket } from "./bucket.ts";
import { contentFolderPath, markerPath, rootInventory, type S3Location, stagingPath, urlOf } from "./layout.ts";
import { publishSealed } from "./publish.ts";
import { S3Reader } from "./reader.ts";
import { makeS3Root } from "./root.ts";
import { readMarker, S3Staging, writeMarker } from "./staging.ts";
import { abortUploads } from "./uploads/uploads.ts";
import { hasTombstone, isVisible, removeInvisible, setS3Tombstone, visibleVersion } from "./visibility.ts";

const CONNECTIONS = 64;
const KEY_BYTES = 1_024;
const SEGMENT_BYTES = 255;
/** Time after a submission was discarded during which a worker that does not know may still send objects. */
const LATE_MS = 60_000;

/**
 * An archive in an object store with the same layout as one in a folder. A dataset is visible while its root inventory
 * exists.
 */
export class S3Store implements ArchiveStore {
  readonly id: string;
  readonly #bucket: Bucket;
  readonly #scratch: string;
  readonly #lateMs: number;
  readonly #changes: ChangeFiles;

  private constructor(bucket: Bucket, own: { id: string; scratch: string; lateMs: number }) {
    this.id = own.id;
    this.#bucket = bucket;
    this.#scratch = own.scratch;
    this.#lateMs = own.lateMs;
    const reader = new S3Reader(bucket);
    this.#changes = new ChangeFiles({
      names: (below) => reader.names(below),
      exists: async (path) => (await bucket.size(path)) !== undefined,
      create: (path) => bucket.put(path, ""),
      remove: (paths) => bucket.remove(paths),
    });
  }

  /**
   * Opens the archive, and creates its storage root if it does not exist.
   *
   * @param scratch a folder of this process
   * @param options.known the id that the archive receives if it has none
   * @throws Problem or Error that states what the operator must correct
   */
  static async open(
    place: S3Location,
    scratch: string,
    { known, lateMs = LATE_MS }: { known?: string | undefined; lateMs?: number } = {},
  ): Promise<S3Store> {
    const bucket = await Bucket.open(place, CONNECTIONS);
    try {
      await makeS3Root(bucket);
      const id = await keepIdentity(fileOf(bucket, IDENTITY), known);
      const store = new S3Store(bucket, { id, scratch, lateMs });
      await store.ready();
      return store;
    } catch (error) {
      bucket.close();
      throw error;
    }
  }

  staging(submission: string, dataset: string, version: number): StagingArea {
    const longest = this.#bucket.keyOf(contentFolderPath(dataset, version));
    const limits: FileSystemLimits = {
      segmentBytes: SEGMENT_BYTES,
      folding: false,
      pathBytes: KEY_BYTES - Buffer.byteLength(longest) - 1,
      textOnly: true,
    };
    const own = { limits, scratch: this.#scratch, proveSame: () => this.proveSame() };
    return new S3Staging(this.#bucket, { submission, dataset, version }, own);
  }

  async freeBytes(): Promise<number> {
    return Number.POSITIVE_INFINITY;
  }

  async reserveBytes(): Promise<number> {
    return 0;
  }

  async proveSame(): Promise<void> {
    const [text, declaration] = await Promise.all([
      this.#bucket.text(IDENTITY),
      this.#bucket.size(`ocfl/${ROOT_DECLARATION.name}`),
    ]);
    if (text === undefined || declaration === undefined) {
      throw otherArchive(`its file ${text === undefined ? IDENTITY : ROOT_DECLARATION.name} is missing`);
    }
    requireIdentity(text, this.id);
  }

  async ready(): Promise<void> {
    await this.proveSame();
    await this.#bucket.tryWriting();
  }

  async newestChange(): Promise<number> {
    await this.proveSame();
    return this.#changes.newest();
  }

  async recordChange(number: number): Promise<boolean> {
    await this.proveSame();
    return this.#changes.record(number);
  }

  newestVersion(datasetId: string): Promise<number> {
    return visibleVersion(this.#bucket, datasetFolder(datasetId));
  }

  async hold(): Promise<SpaceReservation> {
    return { use: () => undefined, release: () => undefined };
  }

  async publish(committed: Committed): Promise<void> {
    const { dataset, version, receipt } = committed;
    await this.proveSame();
    const object = datasetFolder(dataset);
    const visible = await visibleVersion(this.#bucket, object);
    if (visible >= version) {
      requireReceipt(await this.#bucket.text(`${object}/${logsOf(version)}/${RECEIPT}`), receipt);
    } else if (visible === version - 1) await publishSealed(this.#bucket, committed);
    else throw alreadyPublished();
    // What another bucket in its place has received must not count as published.
    await this.proveSame();
    if ((await visibleVersion(this.#bucket, object)) < version) throw otherArchive("it has not received the version");
    await this.forget(committed.submission);
  }

  async addRecord(datasetId: string, kind: RecordKind, name: string, jws: string): Promise<void> {
    await this.proveSame();
    const object = datasetFolder(datasetId);
    if (!(await isVisible(this.#bucket, object))) throw alreadyPublished();
    const path = `${object}/logs/${kind}/${name}`;
    const found = await this.#bucket.text(path);
    if (found !== undefined) return requireReceipt(found, jws);
    await this.#bucket.put(path, jws);
    await this.proveSame();
    // A dataset that was withdrawn meanwhile would keep the record.
    if (await isVisible(this.#bucket, object)) return;
    await this.#bucket.remove([path]);
    throw alreadyPublished();
  }

  async withdraw(tombstone: Tombstone): Promise<void> {
    const { id } = tombstone.dataset;
    await this.proveSame();
    await setS3Tombstone(this.#bucket, tombstone);
    // Another bucket may have been in its place for a moment, and have received the tombstone.
    await this.proveSame();
    if (!(await hasTombstone(this.#bucket, id))) throw otherArchive("it has not received the tombstone");
    await this.#bucket.remove([rootInventory(id)]);
    await this.#bucket.removeBelow(`${datasetFolder(id)}/`);
    await this.proveSame();
    if (await isVisible(this.#bucket, datasetFolder(id))) throw otherArchive("it still has the dataset");
  }

  async forget(submissionId: string): Promise<void> {
    await this.proveSame();
    await this.#clear(submissionId);
  }

  async discard(submissionId: string): Promise<void> {
    await this.proveSame();
    const marker = await readMarker(this.#bucket, submissionId);
    if (marker === undefined) return this.#clear(submissionId);
    const { dataset, version = 1, discarded = Date.now() } = marker;
    const object = datasetFolder(dataset);
    // Only staged objects of a later version are removed. The dataset is not changed.
    if (version === 1 && (await isVisible(this.#bucket, object))) return this.#clear(submissionId);
    if (marker.discarded === undefined) {
      await writeMarker(this.#bucket, submissionId, { ...marker, discarded });
    }
    if (version === 1) await abortUploads(this.#bucket, `${object}/`, "below");
    const isPublished = version === 1 && !(await removeInvisible(this.#bucket, object));
    // A worker that has not been informed may still send objects. The marker stays until a later call.
    const isOver = isPublished || Date.now() - discarded >= this.#lateMs;
    await this.#clear(submissionId, isOver ? "with the marker" : "but the marker");
  }

  /** Does nothing: all data is in the bucket, and scratch folders of ended processes are removed at a start. */
  async removeLeftovers(): Promise<void> {}

  async staged(): Promise<string[]> {
    await this.proveSame();
    return (await this.#bucket.folders("staging/")).filter((name) => isUuid(name));
  }

  locate(datasetId: string): string {
    return `${urlOf(this.#bucket.place)}/${datasetFolder(datasetId)}`;
  }

  placeOf(datasetId: string): ObjectPlace {
    return { kind: "s3", place: this.#bucket.place, object: datasetFolder(datasetId), scratch: this.#scratch };
  }

  /** A small file of the archive, such as that with the public keys. */
  file(name: string): SmallFile {
    return fileOf(this.#bucket, name);
  }

  async close(): Promise<void> {
    this.#bucket.close();
    await rm(this.#scratch, { recursive: true, force: true });
  }

  /** Removes the staged objects, the marker last: while it exists, a later call finds the submission. */
  async #clear(submissionId: string, extent: "with the marker" | "but the marker" = "with the marker"): Promise<void> {
    const marker = markerPath(submissionId);
    await abortUploads(this.#bucket, stagingPath(submissionId), "below");
    await this.#bucket.removeBelow(stagingPath(submissionId), (path) => path === marker);
    if (extent === "with the marker") await this.#bucket.remove([marker]);
  }
}

function fileOf(bucket: Bucket, name: string): SmallFile {
  return { read: () => bucket.text(name), write: (text) => bucket.put(name, text) };
}
