import { objectFolder } from "../ocfl/layout.ts";

/** Paths below the archive's prefix. Everything that lies in it has its name from here. */

/** Where a dataset lies, without a slash at the end. */
export function objectPath(datasetId: string): string {
  return `ocfl/${objectFolder(`urn:uuid:${datasetId}`)}`;
}

/** The content of a dataset's first version. */
export function contentPath(datasetId: string): string {
  return `${objectPath(datasetId)}/v1/content`;
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

/** The last three to be published: before the last of them is there, there is no dataset. */
export const CROWN = ["0=ocfl_object_1.1", "inventory.json.sha512", "inventory.json"] as const;
