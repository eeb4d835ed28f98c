import type { S3Credentials } from "../../domain/access.ts";
import { objectFolder } from "../layout.ts";
import { contentOf } from "../versions.ts";

/** The location of an archive in an object store, and its credentials. Plain data, so that it can be sent to a thread. */
export interface S3Location {
  bucket: string;
  /** Empty, or without a slash at either end. */
  prefix: string;
  /** Undefined: Amazon's of the region. */
  endpoint: string | undefined;
  region: string;
  credentials: S3Credentials;
  /** All certificate authorities that are trusted, as PEM; undefined for the usual ones. */
  ca?: string[];
}

/** Paths below the archive's prefix. Everything that lies in it has its name from here. */

/** Where a dataset lies, without a slash at the end. */
export function objectPath(datasetId: string): string {
  return `ocfl/${objectFolder(`urn:uuid:${datasetId}`)}`;
}

/** The content of a dataset's version. */
export function contentFolderPath(datasetId: string, version: number): string {
  return `${objectPath(datasetId)}/${contentOf(version)}`;
}

/**
 * Where content gathers, without a slash at the end. That of a first version is at its place, below an object that is not
 * visible; below one that is, nothing is written before publication is committed.
 */
export function incomingPath({ submission, dataset, version }: PlannedVersion): string {
  return version === 1 ? contentFolderPath(dataset, version) : `${stagingPath(submission)}content`;
}

/** Which version of which dataset a submission is to become. */
export interface PlannedVersion {
  submission: string;
  dataset: string;
  version: number;
}

/** The object that makes a dataset visible: published last, removed first. */
export function rootInventory(datasetId: string): string {
  return rootInventoryOf(objectPath(datasetId));
}

/** The same of an object, wherever it lies. */
export function rootInventoryOf(object: string): string {
  return `${object}/inventory.json`;
}

/** What is left of a withdrawn dataset. */
export function tombstonePath(datasetId: string): string {
  return `withdrawn/${datasetId}/tombstone.json`;
}

/** What is staged for a submission, with its slash. */
export function stagingPath(submissionId: string): string {
  return `staging/${submissionId}/`;
}

/** What says which attempt is at work for which dataset: written before anything is placed, removed last. */
export function markerPath(submissionId: string): string {
  return `${stagingPath(submissionId)}attempt.json`;
}

/** The package's own files as whoever has this fence has made them, with its slash. */
export function sealedPath(submissionId: string, fence: number): string {
  return `${stagingPath(submissionId)}package-${fence}/`;
}

/** The last to be published: before the last of them is there, there is no dataset, or not this version of it. */
export const visibilityFiles = (version: number): readonly string[] => [
  ...(version === 1 ? ["0=ocfl_object_1.1"] : []),
  "inventory.json.sha512",
  "inventory.json",
];

/** As settings and people write it. */
export function urlOf({ bucket, prefix }: Pick<S3Location, "bucket" | "prefix">): string {
  return prefix === "" ? `s3://${bucket}` : `s3://${bucket}/${prefix}`;
}
