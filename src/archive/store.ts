import type { ContentWriterOptions } from "./content-writer.ts";
import type { Tombstone } from "./receipts/tombstone.ts";
import type { S3ObjectPlace } from "./s3/examine.ts";
import { type Checked, type CheckOptions, validateDatasetOrReport } from "./validation/check-object.ts";

/** Where a dataset lies: plain data, so that it can go to the thread that looks at it. */
export type ObjectPlace = { kind: "folder"; folder: string } | S3ObjectPlace;

/**
 * Where packages are kept. A store promises: what a writer has placed is whole; what `sync` has returned for survives
 * power loss; `publish` makes the package visible in one atomic step and may be called again after any crash.
 */
export interface ArchiveStore {
  /** The staging area of a submission that is to become this version of a dataset; the same one after a restart. */
  staging(submissionId: string, datasetId: string, version: number): StagingArea;
  /** Bytes that content may still fill, above the reserve; Infinity where nobody can tell. */
  freeBytes(): Promise<number>;
  /**
   * Looks whether the archive can be written.
   * @throws Problem `archive_unwritable`
   */
  ready(): Promise<void>;
  /**
   * Sets bytes aside for content that is about to be written, so that others do not count on them.
   *
   * @throws Problem `no_space` when there is no room for them
   */
  hold(bytes: number): Promise<SpaceReservation>;
  /**
   * Makes the package that was sealed under its fence the dataset's next version, and forgets the submission. Where the
   * version stands with this receipt that has happened before. Until it resolves the dataset is visible as it was before,
   * or with the version.
   *
   * @throws Problem `already_published` where the version stands with another receipt, or the one before does not stand;
   * nothing is changed then
   */
  publish(committed: Committed): Promise<void>;
  /**
   * Removes a dataset and leaves its tombstone and logs. At every moment the whole dataset is visible, or the tombstone
   * stands; may be called again after any crash, and is to be until it resolves.
   */
  withdraw(tombstone: Tombstone): Promise<void>;
  /** Removes what is staged for a submission that is completed; never anything of a dataset, visible or not. */
  forget(submissionId: string): Promise<void>;
  /**
   * Removes everything staged for a submission that came to nothing, content too; never anything of a dataset that is
   * visible, which the version before is. Whatever still comes in of it goes when this is called again.
   */
  discard(submissionId: string): Promise<void>;
  /** Removes what was thrown away when the process died. It may take long, and nothing waits for it. */
  removeLeftovers(): Promise<void>;
  /** Ids of submissions that have something staged; other names are nobody's business. */
  staged(): Promise<string[]>;
  /** Where a dataset's package lies, for people. */
  locate(datasetId: string): string;
  /** The same for whoever looks at it again, see `examine`. */
  placeOf(datasetId: string): ObjectPlace;
  /** Lets go of connections. */
  close(): Promise<void>;
}

/** A package whose publication is committed in the database. */
export interface Committed {
  submission: string;
  dataset: string;
  version: number;
  /** Under which it was sealed. */
  fence: number;
  /** The receipt that the database has, as it was signed. */
  receipt: string;
}

/** Where the content of a submission gathers, attempt after attempt. */
export interface StagingArea {
  /**
   * Closes the area for all attempts before this one: what they still have in flight can no longer be placed, or no
   * longer where this one's content is. To be awaited before the attempt places anything. May be called again while the
   * attempt is at work; whoever comes too late with it does no harm.
   * @throws Problem `already_published`; `wrong_state` when the attempt is being packaged, or a later one has begun
   */
  begin(attempt: number): Promise<void>;
  /**
   * Looks whether there is still a version to be made. To be awaited before anything is placed.
   * @throws Problem `already_published` when it stands in the archive, or the dataset has its tombstone there, or the
   * version before does not stand there
   */
  requireUnpublished(): Promise<void>;
  /** With what a thread that transfers makes the writer of an attempt. */
  writerOptions(attempt: number): ContentWriterOptions;
  /** Makes placed files durable, contents and names. To be awaited before they are recorded. */
  sync(contentPaths: readonly string[]): Promise<void>;
  /**
   * Takes over the package in the making of an attempt. Whoever had it before, with a lower fence, can no longer touch it.
   * @throws Problem `wrong_state` when somebody with a higher fence has it, `already_published`
   */
  package(fence: number, attempt: number): Promise<PackageArea>;
}

/** A package in the making, in the hands of whoever has this fence. */
export interface PackageArea {
  /**
   * A folder for the package's own files, everything but content, at their places (`versions.ts`); the folders of the
   * version's metadata and logs are there.
   */
  readonly folder: string;
  /** What the versions before hold; undefined for a first version. */
  earlier(): Promise<EarlierPackage | undefined>;
  /** The bytes of the files at these content paths; undefined where none lies. */
  sizes(contentPaths: readonly string[]): Promise<(number | undefined)[]>;
  /** How many files are placed. */
  count(): Promise<number>;
  /** The content paths of all placed files, in batches. */
  storedPaths(): AsyncIterable<string[]>;
  /** Removes placed files that nobody knows. @throws Problem `already_published`; nothing of a visible dataset goes */
  remove(contentPaths: readonly string[]): Promise<void>;
  /**
   * Gives content whose path is also a folder of others' another place, and says which; what lay there before stays. On
   * a file system that never happens.
   */
  moveAside(contentPath: string): Promise<string>;
  /** An empty folder beside the package for work in progress. */
  scratch(): Promise<string>;
  /** Makes the package ready to be published: whole, durable, every name of it. @throws Problem `already_published` */
  finalize(): Promise<void>;
  /** Lets go of what is not needed any more, whether it was sealed or not. */
  close(): Promise<void>;
}

/** What a dataset holds before a version is added. */
export interface EarlierPackage {
  /** A file of this machine: the inventory of the version before, as it lies in the archive. */
  inventory: string;
  /** The bytes of files at these paths, relative to the object's folder; undefined where none lies. */
  sizes(paths: readonly string[]): Promise<(number | undefined)[]>;
}

/** Bytes set aside. */
export interface SpaceReservation {
  /** So many of them are written by now. */
  use(bytes: number): void;
  /** Gives the rest back. */
  release(): void;
}

/**
 * Checks a dataset wherever it lies. What keeps it from being read is a finding too, but not that an object store does
 * not answer.
 *
 * @throws Problem or Error when the object store cannot be reached
 */
export async function validateStoredDataset(place: ObjectPlace, options: CheckOptions): Promise<Checked> {
  if (place.kind === "folder") return validateDatasetOrReport(place.folder, options);
  return (await import("./s3/examine.ts")).examineS3Object(place, options);
}
