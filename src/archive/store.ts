import type { RecordKind } from "../publication/rules/publication.ts";
import type { ContentWriterOptions } from "./content-writer.ts";
import type { Tombstone } from "./receipts/tombstone.ts";
import type { S3ObjectPlace } from "./s3/examine.ts";
import { type Checked, type CheckOptions, validateDatasetOrReport } from "./validation/check-object.ts";

/** The location of a dataset. Plain data, so that it can be sent to the thread that checks it. */
export type ObjectPlace = { kind: "folder"; folder: string } | S3ObjectPlace;

/**
 * Stores packages. A store guarantees: a file that a writer has placed is complete; files for which `sync` has resolved
 * survive a power loss; `publish` makes the package visible in one atomic step and may be repeated after any crash.
 */
export interface ArchiveStore {
  /** The id of the archive, see `identity.ts`. */
  readonly id: string;
  /** The staging area of the submission that creates this version of a dataset. It is the same after a restart. */
  staging(submissionId: string, datasetId: string, version: number): StagingArea;
  /** Bytes that content may still use, without the reserve; Infinity if the store does not report free space. */
  freeBytes(): Promise<number>;
  /** Bytes of the disk that are never used for content; 0 if the store does not report free space. */
  reserveBytes(): Promise<number>;
  /**
   * Proves that this is still the archive that was opened, and not a bare mount point or another bucket in its place. Every
   * method that changes the archive, or reports what it contains, does this first.
   * @throws Problem `archive_unwritable`
   */
  proveSame(): Promise<void>;
  /** Checks whether the archive can be written. @throws Problem `archive_unwritable` */
  ready(): Promise<void>;
  /** The number of the newest recorded change; 0 if there is none. */
  newestChange(): Promise<number>;
  /**
   * Records, durably, that a change with this number follows: a publication, a publication record or a withdrawal. See
   * `changes.ts`.
   * @returns false if the archive has a change with this number already: the database was replaced by an older one
   */
  recordChange(number: number): Promise<boolean>;
  /** The newest visible version of the OCFL object of a dataset; 0 if there is none. */
  newestVersion(datasetId: string): Promise<number>;
  /**
   * Reserves space for content that is about to be written, so that other submissions do not use it.
   *
   * @param what the beginning of the message if there is not enough: “The next objects need”
   * @throws Problem `no_space` if there is not enough space
   */
  hold(bytes: number, what: string): Promise<SpaceReservation>;
  /**
   * Publishes the package that was sealed under the committed fence as the dataset's next version, and removes the
   * staging area. If the version already exists with this receipt, it was published before. Until the call resolves,
   * the dataset is visible either as before or with the new version.
   *
   * @throws Problem `already_published` if the version exists with another receipt, or the previous version does not
   * exist; nothing is changed then
   */
  publish(committed: Committed): Promise<void>;
  /**
   * Stores a signed record in the logs of a visible dataset, durably. Has no effect if the record exists.
   *
   * @param name as `recordName` returns it
   * @throws Problem `already_published` if another record has this name, or the dataset is not in the archive
   */
  addRecord(datasetId: string, kind: RecordKind, name: string, jws: string): Promise<void>;
  /**
   * Removes a dataset and keeps its tombstone and receipts. At every moment either the whole dataset is visible, or the
   * tombstone exists. May be repeated after any crash, and must be repeated until it resolves.
   */
  withdraw(tombstone: Tombstone): Promise<void>;
  /** Removes the staged files of a completed submission. Never removes anything of a dataset, visible or not. */
  forget(submissionId: string): Promise<void>;
  /**
   * Removes everything that is staged for an unsuccessful submission, including content. Never removes anything of a
   * visible dataset, such as earlier versions. Files that arrive later are removed when this is called again.
   */
  discard(submissionId: string): Promise<void>;
  /** Removes the remains of interrupted removals. May take long; no caller needs to wait for it. */
  removeLeftovers(): Promise<void>;
  /** Ids of submissions that have staged files. Other names are ignored. */
  staged(): Promise<string[]>;
  /** The location of a dataset, for people. */
  locate(datasetId: string): string;
  /** The location of a dataset for {@link validateStoredDataset}. */
  placeOf(datasetId: string): ObjectPlace;
  /** Closes connections. */
  close(): Promise<void>;
}

/** A package whose publication is committed in the database. */
export interface Committed {
  submission: string;
  dataset: string;
  version: number;
  /** The fence under which it was sealed. */
  fence: number;
  /** The signed receipt from the database. */
  receipt: string;
}

/** The staging area of a submission, used by all its attempts. */
export interface StagingArea {
  /**
   * Closes the area for all earlier attempts: their unfinished files can no longer be placed, or only outside this
   * attempt's content. Must be awaited before the attempt places a file. May be called again while the attempt is
   * running; a late call has no effect.
   * @throws Problem `already_published`; `wrong_state` if the attempt is being packaged, or a later one has begun
   */
  begin(attempt: number): Promise<void>;
  /**
   * Checks that the version does not exist yet in the archive that was opened. Must be awaited before a file is placed.
   * @throws Problem `archive_unwritable` if it is another archive, see {@link ArchiveStore.proveSame}; `already_published` if the version exists in the archive, the dataset has a tombstone there, or the
   * previous version does not exist
   */
  requireUnpublished(): Promise<void>;
  /** The options from which a transfer thread creates the writer of an attempt. */
  writerOptions(attempt: number): ContentWriterOptions;
  /**
   * Makes placed files durable, contents and names. Must be awaited before they are recorded.
   * @throws Problem `archive_unwritable` if they may be in another archive, see {@link ArchiveStore.proveSame}
   */
  sync(contentPaths: readonly string[]): Promise<void>;
  /**
   * Takes over the unfinished package of an attempt. Workers with a lower fence can no longer change it.
   * @throws Problem `wrong_state` if a worker with a higher fence has it, `already_published`
   */
  package(fence: number, attempt: number): Promise<PackageArea>;
}

/** An unfinished package that belongs to the worker with this fence. */
export interface PackageArea {
  /**
   * A folder for the package's own files, everything except content, at their final relative paths (`versions.ts`). The
   * folders of the version's metadata and logs exist.
   */
  readonly folder: string;
  /** The contents of earlier versions; undefined for a first version. */
  earlier(): Promise<EarlierPackage | undefined>;
  /** Sizes in bytes of the files at these content paths; undefined for missing ones. */
  sizes(contentPaths: readonly string[]): Promise<(number | undefined)[]>;
  /** Number of placed files. */
  count(): Promise<number>;
  /** The content paths of all placed files, in batches. */
  storedPaths(): AsyncIterable<string[]>;
  /**
   * Removes placed files that are not recorded. @throws Problem `already_published`; nothing of a visible dataset is
   * removed
   */
  remove(contentPaths: readonly string[]): Promise<void>;
  /**
   * Copies content whose path is also a folder of other content to another path, and returns it. The original stays.
   * Never needed on a file system.
   */
  moveAside(contentPath: string): Promise<string>;
  /** An empty folder beside the package for temporary files. */
  scratch(): Promise<string>;
  /** Completes the package for publication: all files and names are durable. @throws Problem `already_published` */
  finalize(): Promise<void>;
  /** Releases resources, whether the package was sealed or not. */
  close(): Promise<void>;
}

/** The contents of a dataset before a version is added. */
export interface EarlierPackage {
  /** A local file: the inventory of the previous version, as the archive stores it. */
  inventory: string;
  /** Sizes in bytes of the files at these paths, relative to the object's folder; undefined for missing ones. */
  sizes(paths: readonly string[]): Promise<(number | undefined)[]>;
}

/** Reserved space. */
export interface SpaceReservation {
  /** Reports that this number of bytes is now written. */
  use(bytes: number): void;
  /** Releases the rest. */
  release(): void;
}

/**
 * Checks a dataset in a folder or an object store. A dataset that cannot be read is a finding; an object store that
 * does not answer is an error.
 *
 * @throws Problem or Error if the object store cannot be reached
 */
export async function validateStoredDataset(place: ObjectPlace, options: CheckOptions): Promise<Checked> {
  if (place.kind === "folder") return validateDatasetOrReport(place.folder, options);
  return (await import("./s3/examine.ts")).examineS3Object(place, options);
}
