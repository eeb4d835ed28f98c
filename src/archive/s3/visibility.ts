import { alreadyPublished } from "../already-published.ts";
import type { Tombstone } from "../receipts/tombstone.ts";
import { HEAD_BYTES, headOf } from "../versions.ts";
import type { Bucket } from "./bucket.ts";
import { objectPath, rootInventoryOf, tombstonePath } from "./layout.ts";

const RECEIPT = "/receipt.jws";

/** Whether a dataset is visible: its root inventory stands. @param object where it lies, without a slash at the end */
export async function isVisible(bucket: Bucket, object: string): Promise<boolean> {
  return (await bucket.size(rootInventoryOf(object))) !== undefined;
}

/** The newest version of a dataset that is visible; 0 where there is none. */
export async function visibleVersion(bucket: Bucket, object: string): Promise<number> {
  const beginning = await bucket.beginning(rootInventoryOf(object), HEAD_BYTES);
  return beginning === undefined ? 0 : (headOf(beginning) ?? Number.POSITIVE_INFINITY);
}

/**
 * @throws Problem `already_published` when the version stands in the archive, or the dataset has its tombstone there, or
 * the version before does not stand
 */
export async function requireUnpublished(
  bucket: Bucket,
  { dataset, version }: { dataset: string; version: number },
): Promise<void> {
  if ((await visibleVersion(bucket, objectPath(dataset))) !== version - 1) throw alreadyPublished();
  if ((await bucket.size(tombstonePath(dataset))) !== undefined) throw alreadyPublished();
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

/**
 * Sets up a dataset's tombstone with its receipts, and nothing else of its logs. The tombstone itself comes last; one that
 * stands is left as it is.
 */
export async function setS3Tombstone(bucket: Bucket, tombstone: Tombstone): Promise<void> {
  const folder = `withdrawn/${tombstone.dataset.id}`;
  const stone = `${folder}/tombstone.json`;
  if ((await bucket.size(stone)) !== undefined) return;
  const object = objectPath(tombstone.dataset.id);
  for await (const page of bucket.pages(`${object}/logs/`)) {
    for (const { path } of page) {
      if (path.endsWith(RECEIPT)) await bucket.copy(path, folder + path.slice(object.length));
    }
  }
  await bucket.put(stone, `${JSON.stringify(tombstone, null, 2)}\n`);
}
