import type { S3Credentials } from "../../domain/source-access/access.ts";
import { datasetFolder } from "../layout.ts";
import { contentOf } from "../versions.ts";

/** The location of an archive in an object store, and its credentials. Plain data, so that it can be sent to a thread. */
export interface S3Location {
  bucket: string;
  /** Empty, or without a slash at either end. */
  prefix: string;
  /** Undefined: the endpoint of Amazon S3 in the region. */
  endpoint: string | undefined;
  region: string;
  credentials: S3Credentials;
  /** All trusted certificate authorities, as PEM; undefined for the default ones. */
  ca?: string[];
}

/** Paths relative to the archive's prefix. All objects of an archive get their paths from the functions below. */

/** The content of a dataset's version. */
export function contentFolderPath(datasetId: string, version: number): string {
  return `${datasetFolder(datasetId)}/${contentOf(version)}`;
}

/**
 * The path for content that is being received, without a slash at the end. For a first version this is its final path,
 * in an object that is not visible. In a visible object nothing is written before publication is committed, so content
 * of a later version is staged.
 */
export function incomingPath({ submission, dataset, version }: PlannedVersion): string {
  return version === 1 ? contentFolderPath(dataset, version) : `${stagingPath(submission)}content`;
}

/** The version of a dataset that a submission is to create. */
export interface PlannedVersion {
  submission: string;
  dataset: string;
  version: number;
}

/** The object that makes a dataset visible: published last, removed first. */
export function rootInventory(datasetId: string): string {
  return rootInventoryOf(datasetFolder(datasetId));
}

/** The same for an object at any path. */
export function rootInventoryOf(object: string): string {
  return `${object}/inventory.json`;
}

/** The path of a withdrawn dataset's tombstone. */
export function tombstonePath(datasetId: string): string {
  return `withdrawn/${datasetId}/tombstone.json`;
}

/** The folder of a submission's staged objects, with a slash at the end. */
export function stagingPath(submissionId: string): string {
  return `staging/${submissionId}/`;
}

/** The marker that names the current attempt and its dataset. Written before any content, removed last. */
export function markerPath(submissionId: string): string {
  return `${stagingPath(submissionId)}attempt.json`;
}

/** The package's own files as the worker with this fence has written them, with a slash at the end. */
export function sealedPath(submissionId: string, fence: number): string {
  return `${stagingPath(submissionId)}package-${fence}/`;
}

/**
 * The objects that are published last. Before the last of them exists, the dataset or this version of it is not
 * visible.
 */
export const visibilityFiles = (version: number): readonly string[] => [
  ...(version === 1 ? ["0=ocfl_object_1.1"] : []),
  "inventory.json.sha512",
  "inventory.json",
];

/** The location in the form of the settings and messages. */
export function urlOf({ bucket, prefix }: Pick<S3Location, "bucket" | "prefix">): string {
  return prefix === "" ? `s3://${bucket}` : `s3://${bucket}/${prefix}`;
}
