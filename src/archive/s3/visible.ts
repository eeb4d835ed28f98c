import { alreadyPublished } from "../already-published.ts";
import type { Bucket } from "./bucket.ts";
import { objectPath, rootInventoryOf, tombstonePath } from "./layout.ts";

/** Whether a dataset is visible: its root inventory stands. @param object where it lies, without a slash at the end */
export async function isVisible(bucket: Bucket, object: string): Promise<boolean> {
  return (await bucket.size(rootInventoryOf(object))) !== undefined;
}

/** @throws Problem `already_published` when the dataset stands in the archive, or has its tombstone there */
export async function requireUnpublished(bucket: Bucket, datasetId: string): Promise<void> {
  if (await isVisible(bucket, objectPath(datasetId))) throw alreadyPublished();
  if ((await bucket.size(tombstonePath(datasetId))) !== undefined) throw alreadyPublished();
}

/**
 * Removes what lies below a dataset that is not visible, and looks before every request that removes whether it has
 * become so.
 * @returns false once it is visible: what was not removed until then stays
 */
export async function removeInvisible(bucket: Bucket, object: string): Promise<boolean> {
  for await (const page of bucket.pages(`${object}/`)) {
    if (await isVisible(bucket, object)) return false;
    await bucket.remove(page.map(({ path }) => path));
  }
  return true;
}
