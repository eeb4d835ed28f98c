import type { Static } from "typebox";
import { revisionsOf } from "../../db/datasets/revisions.ts";
import type { HttpContext } from "../context.ts";
import { inventoryOf, type Version } from "../dataset/version.ts";
import type { Commitment } from "../schemas/review.ts";

/**
 * The SHA-512 of the inventory of each state of a version, newest first. It commits to all files and metadata without naming
 * them. The publication record names the one that was published, so that readers can compare.
 */
export async function commitmentsOf({ db }: HttpContext, version: Version): Promise<Static<typeof Commitment>[]> {
  const { dataset, number, submission, publishedAt } = version;
  const revised = (await revisionsOf(db, dataset.id, number)).flatMap(({ revision, receipt, published_at: at }) =>
    receipt === null || at === null
      ? []
      : [{ sha512: inventoryOf(receipt), metadataRevision: revision, since: at.toISOString() }],
  );
  const { receipt } = submission;
  if (receipt === null) return revised;
  return [...revised, { sha512: inventoryOf(receipt), metadataRevision: 1, since: publishedAt.toISOString() }];
}
