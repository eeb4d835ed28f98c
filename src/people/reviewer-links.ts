import type { Queries } from "../db/database.ts";
import { isUsable, type ReviewerLinkRow, reviewerLinkOfHash } from "../db/publication/reviewer-links.ts";
import { Problem } from "../domain/problems.ts";
import { linkSecrets } from "./link-secrets.ts";

const secrets = linkSecrets("rev_");

/** A new secret. Only its hash is stored. */
export const newReviewerSecret = secrets.create;

/**
 * The reviewer link whose secret is in an `Authorization` header. It is the only access that the secret gives.
 *
 * @throws Problem `reviewer_link_unknown`, `reviewer_link_revoked`, `reviewer_link_expired`
 */
export async function reviewerLinkOf(db: Queries, authorization: string | undefined): Promise<ReviewerLinkRow> {
  const hash = secrets.hashIn(authorization);
  const found = hash && (await reviewerLinkOfHash(db, hash));
  if (found === undefined) throw new Problem("reviewer_link_unknown");
  requireUsable(found);
  return found;
}

/** @throws Problem `reviewer_link_revoked`, `reviewer_link_expired` */
export function requireUsable(link: ReviewerLinkRow): void {
  if (isUsable(link, new Date())) return;
  // Only those who hold the secret learn this.
  throw new Problem(link.revoked_at === null ? "reviewer_link_expired" : "reviewer_link_revoked");
}
