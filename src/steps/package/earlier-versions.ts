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

/** What the dataset holds before this version. */
export interface EarlierVersions {
  /** The submission that became the version before. */
  base: SubmissionRow;
  /** Which content is there, by digest. */
  content: ContentByDigest;
  sizes: EarlierPackage["sizes"];
}

/**
 * Takes up what the versions before hold: their inventory goes into the new one.
 *
 * @param base the submission that became the version before; undefined for a first version
 * @param scratch a folder for work in progress
 * @throws Problem `already_published` when the archive’s version before is not the one that the database knows
 */
export async function readEarlierVersions(
  base: SubmissionRow | undefined,
  { area, inventory, scratch }: { area: PackageArea; inventory: InventoryWriter; scratch: string },
): Promise<EarlierVersions | undefined> {
  if (base === undefined) return undefined;
  const earlier = await area.earlier();
  if (earlier === undefined) throw new Error("The area is that of a first version");
  const { digest } = await digestFile(earlier.inventory, "sha512");
  if (digest !== receiptOf(base.receipt ?? "").digests.inventory.sha512) throw alreadyPublished();
  const content = new ContentByDigest(join(scratch, "earlier-content"));
  await addEarlierVersions(earlier.inventory, { writer: inventory, content });
  return { base, content, sizes: earlier.sizes };
}
