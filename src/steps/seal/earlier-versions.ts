import { join } from "node:path";
import {
  addEarlierVersions,
  ContentByDigest,
  digestFile,
  type InventoryWriter,
} from "../../../packages/ocfl/src/index.ts";
import { alreadyPublished } from "../../archive/already-published.ts";
import { receiptOf } from "../../archive/receipts/signing.ts";
import type { EarlierPackage, PackageArea } from "../../archive/store.ts";
import type { SubmissionRow } from "../../db/submissions/submissions.ts";

/** Contents of the dataset before this version. */
export interface EarlierVersions {
  /** The submission that became the previous version of the dataset. */
  base: SubmissionRow;
  /** The stored content, by digest. */
  content: ContentByDigest;
  sizes: EarlierPackage["sizes"];
}

/**
 * Adds the contents of all earlier versions: their inventory becomes part of the new one.
 *
 * @param before the submission that became the previous version of the dataset, and the receipt for the newest version of
 *   the OCFL object
 * @param scratch a folder for temporary files
 * @throws Problem `already_published` if the latest version in the archive is not the one that the database knows
 */
export async function readEarlierVersions(
  { base, receipt }: { base: SubmissionRow; receipt: string },
  { area, inventory, scratch }: { area: PackageArea; inventory: InventoryWriter; scratch: string },
): Promise<EarlierVersions> {
  const earlier = await area.earlier();
  if (earlier === undefined)
    throw new Error("The staging area was opened for a first version, but the dataset has earlier versions");
  const { digest } = await digestFile(earlier.inventory, "sha512");
  if (digest !== receiptOf(receipt).digests.inventory.sha512) throw alreadyPublished();
  const content = new ContentByDigest(join(scratch, "earlier-content"));
  await addEarlierVersions(earlier.inventory, { writer: inventory, content });
  return { base, content, sizes: earlier.sizes };
}
