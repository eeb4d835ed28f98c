import type { Receiving } from "./folder-receiver.ts";
import type { Tombstone } from "./tombstone.ts";

/**
 * Where packages are kept. A store promises: what `place` has returned for is whole; what `sync` has returned for
 * survives power loss; `publish` makes the package visible in one atomic step and may be called again after any crash.
 */
export interface ArchiveStore {
  /** The staging area of a submission; the same one after a restart. */
  staging(submissionId: string): StagingArea;
  /** Bytes that content may still fill, above the reserve. */
  room(): Promise<number>;
  /**
   * Sets bytes aside for content that is about to be written, so that others do not count on them.
   *
   * @throws Problem `no_space` when there is no room for them
   */
  hold(bytes: number): Promise<Hold>;
  /** Makes the staged package of this submission the dataset's first version. Does nothing when that has happened. */
  publish(submissionId: string, datasetId: string): Promise<void>;
  /**
   * Removes a dataset and leaves its tombstone and logs. At every moment the whole dataset is visible, or the tombstone
   * stands; may be called again after any crash, and is to be until it resolves.
   */
  withdraw(tombstone: Tombstone): Promise<void>;
  /** Removes everything staged for a submission. */
  discard(submissionId: string): Promise<void>;
  /** Removes what was thrown away when the process died. It may take long, and nothing waits for it. */
  removeLeftovers(): Promise<void>;
  /** Ids of submissions that have something staged; other names are nobody's business. */
  staged(): Promise<string[]>;
  /** Where a dataset's package lies, for people. */
  locate(datasetId: string): string;
}

export interface StagingArea {
  /**
   * Closes the area for all attempts before this one: what they still have in flight can no longer be placed. To be
   * awaited before the attempt places anything.
   */
  begin(attempt: number): Promise<void>;
  /** With what a thread that transfers makes the receiver of an attempt. */
  receiving(attempt: number): Receiving;
  /** Makes placed files durable, contents and names. To be awaited before they are recorded. */
  sync(contentPaths: readonly string[]): Promise<void>;
  /** The bytes of the files at these content paths; undefined where none lies. */
  sizes(contentPaths: readonly string[]): Promise<(number | undefined)[]>;
  /** How many files are placed. */
  count(): Promise<number>;
  /** The content paths of all placed files, in batches. */
  placed(): AsyncIterable<string[]>;
  /** Removes placed files that nobody knows. */
  remove(contentPaths: string[]): Promise<void>;
  /** An empty folder beside the package for work in progress. */
  scratch(): Promise<string>;
  /** The folder of the package in the making, with everything removed but the placed content. */
  package(): Promise<string>;
  /** Makes every name of the package durable. */
  seal(): Promise<void>;
}

/** Bytes set aside. */
export interface Hold {
  /** So many of them are written by now. */
  use(bytes: number): void;
  /** Gives the rest back. */
  release(): void;
}
