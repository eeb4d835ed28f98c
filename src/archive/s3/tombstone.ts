import type { Tombstone } from "../tombstone.ts";
import type { Bucket } from "./bucket.ts";
import { objectPath } from "./layout.ts";

const RECEIPT = "/receipt.jws";

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
