import { randomUUID } from "node:crypto";
import { addVersionEvent, type DatasetRow, lockDataset } from "../../db/datasets/datasets.ts";
import type { ReviewerLinkRow } from "../../db/publication/reviewer-links.ts";
import { addReviewerLink, findReviewerLink, revokeReviewerLink } from "../../db/publication/reviewer-links.ts";
import type { Trx } from "../../db/submissions/submissions.ts";
import { Problem } from "../../domain/problems.ts";
import type { IntakeContext } from "../../intake/context.ts";
import { reviewerLinkChanged } from "../rules/events.ts";

/** Maximum number of usable links of a dataset, and of ended ones that are listed. */
export const MOST_REVIEWER_LINKS = 50;

/** A link to create. */
export interface NewReviewerLink {
  dataset: string;
  version: number;
  /** SHA-256 of the secret. */
  hash: Uint8Array;
  label: string;
  anonymous: boolean;
  /** What an anonymous view leaves out. */
  leftOut: { files: number; bytes: number };
  by: string;
  expiresAt: Date;
}

/**
 * Creates a link with which people without an account read a version, and its event, in one transaction.
 *
 * @throws Problem `not_found`, `dataset_withdrawn`, `too_many_reviewer_links`
 */
export async function createReviewerLink({ db }: IntakeContext, link: NewReviewerLink): Promise<ReviewerLinkRow> {
  return db.transaction().execute(async (trx) => {
    await requireLocked(trx, link.dataset);
    const { dataset: dataset_id, version, hash, label, anonymous, leftOut, by, expiresAt } = link;
    const values = {
      ...{ id: randomUUID(), dataset_id, version, hash, label, anonymous },
      ...{ files_left_out: leftOut.files, bytes_left_out: leftOut.bytes },
      ...{ created_by: by, created_at: new Date(), expires_at: expiresAt },
    };
    const added = await addReviewerLink(trx, values, MOST_REVIEWER_LINKS);
    if (added === undefined) throw new Problem("too_many_reviewer_links");
    await addLinkEvent(trx, "reviewer_link_created", added, by);
    return added;
  });
}

/**
 * Revokes a link at once. Repeating it has no effect.
 *
 * @throws Problem `not_found` if the dataset has no such link
 */
export async function endReviewerLink({ db }: IntakeContext, dataset: string, id: string, by: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const link = await findReviewerLink(trx, id);
    if (link?.dataset_id !== dataset) throw new Problem("not_found", "The dataset has no such reviewer link");
    if (await revokeReviewerLink(trx, id, by)) await addLinkEvent(trx, "reviewer_link_revoked", link, by);
  });
}

async function requireLocked(trx: Trx, id: string): Promise<DatasetRow> {
  const dataset = await lockDataset(trx, id);
  if (dataset === undefined) throw new Problem("not_found", "The dataset does not exist");
  if (dataset.withdrawn_at !== null) throw new Problem("dataset_withdrawn");
  return dataset;
}

async function addLinkEvent(
  trx: Trx,
  type: "reviewer_link_created" | "reviewer_link_revoked",
  { id, dataset_id: dataset, version, label, anonymous }: ReviewerLinkRow,
  by: string,
): Promise<void> {
  const event = reviewerLinkChanged(type, { dataset, version, link: id, label, anonymous, by });
  await addVersionEvent(trx, dataset, version, event);
}
