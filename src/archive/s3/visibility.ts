import { alreadyPublished } from "../already-published.ts";
import { datasetFolder } from "../layout.ts";
import { isKeptAside, type Tombstone } from "../receipts/tombstone.ts";
import { HEAD_BYTES, headOf } from "../versions.ts";
import type { Bucket } from "./bucket.ts";
import { rootInventoryOf, tombstonePath } from "./layout.ts";

/** Whether a dataset is visible: its root inventory exists. @param object its path, without a slash at the end */
export async function isVisible(bucket: Bucket, object: string): Promise<boolean> {
  return (await bucket.size(rootInventoryOf(object))) !== undefined;
}

/** The newest visible version of a dataset; 0 if there is none. */
export async function visibleVersion(bucket: Bucket, object: string): Promise<number> {
  const beginning = await bucket.beginning(rootInventoryOf(object), HEAD_BYTES);
  return beginning === undefined ? 0 : (headOf(beginning) ?? Number.POSITIVE_INFINITY);
}

/**
 * @throws Problem `already_published` if the version exists in the archive, the dataset has a tombstone there, or the
 * previous version does not exist
 */
export async function requireUnpublished(
  bucket: Bucket,
  { dataset, version }: { dataset: string; version: number },
): Promise<void> {
  if ((await visibleVersion(bucket, datasetFolder(dataset))) !== version - 1) throw alreadyPublished();
  if (await hasTombstone(bucket, dataset)) throw alreadyPublished();
}

/** Whether a dataset has its tombstone: it is written last. */
export async function hasTombstone(bucket: Bucket, dataset: string): Promise<boolean> {
  return (await bucket.size(tombstonePath(dataset))) !== undefined;
}

/**
 * Removes the objects of a dataset that is not visible. Checks before each request whether it has become visible.
 * @returns false if it is visible; objects that were not removed until then stay
 */
export async function removeInvisible(bucket: Bucket, object: string): Promise<boolean> {
  for await (const page of bucket.pages(`${object}/`)) {
    if (await isVisible(bucket, object)) return false;
    await bucket.remove(page.map(({ path }) => path));
  }
  return true;
}

/**
 * Creates a dataset's tombstone with its receipts and publication records. Other logs are left out. The tombstone is written last; an existing
 * one is not changed.
 */
export async function setS3Tombstone(bucket: Bucket, tombstone: Tombstone): Promise<void> {
  if (await hasTombstone(bucket, tombstone.dataset.id)) return;
  const folder = `withdrawn/${tombstone.dataset.id}`;
  const object = datasetFolder(tombstone.dataset.id);
  for await (const page of bucket.pages(`${object}/logs/`)) {
    for (const { path } of page) {
      if (isKeptAside(path.slice(`${object}/logs/`.length)))
        await bucket.copy(path, folder + path.slice(object.length));
    }
  }
  await bucket.put(tombstonePath(tombstone.dataset.id), `${JSON.stringify(tombstone, null, 2)}\n`);
}
