import type { Insertable, Selectable } from "kysely";
import { isUuid } from "../../domain/uuid.ts";
import type { Queries } from "../database.ts";
import type { Trx } from "../submissions/submissions.ts";
import type { ReviewerLinkTable } from "../tables/publication-tables.ts";

/** A link without the hash of its secret. */
export type ReviewerLinkRow = Omit<Selectable<ReviewerLinkTable>, "hash">;

const VISIBLE = [
  "id",
  "dataset_id",
  "version",
  "label",
  "anonymous",
  "files_left_out",
  "bytes_left_out",
  "created_by",
  "created_at",
  "expires_at",
  "revoked_at",
  "revoked_by",
  "visits",
  "last_visit_at",
] as const;

/** The link with this hash, also if it has expired or was revoked. */
export async function reviewerLinkOfHash(db: Queries, hash: Uint8Array): Promise<ReviewerLinkRow | undefined> {
  return db.selectFrom("reviewer_link").select(VISIBLE).where("hash", "=", hash).executeTakeFirst();
}

/** Undefined if it does not exist. It may have expired or been revoked. */
export async function findReviewerLink(db: Queries, id: string): Promise<ReviewerLinkRow | undefined> {
  if (!isUuid(id)) return undefined;
  return db.selectFrom("reviewer_link").select(VISIBLE).where("id", "=", id).executeTakeFirst();
}

/** The links of a dataset, newest first, also those that have ended. */
export async function reviewerLinksOf(db: Queries, dataset: string): Promise<ReviewerLinkRow[]> {
  return db
    .selectFrom("reviewer_link")
    .select(VISIBLE)
    .where("dataset_id", "=", dataset)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .execute();
}

/** Whether a link can be used at this moment. */
export function isUsable({ revoked_at, expires_at }: ReviewerLinkRow, now: Date): boolean {
  return revoked_at === null && expires_at > now;
}

/**
 * Adds a link, and forgets the oldest of those that have ended. The caller holds the lock of the dataset.
 *
 * @param most number of usable links, and of links that have ended, that a dataset can have
 * @returns undefined if the dataset has the maximum number of usable links
 */
export async function addReviewerLink(
  trx: Trx,
  link: Insertable<ReviewerLinkTable>,
  most: number,
): Promise<ReviewerLinkRow | undefined> {
  const now = new Date();
  const all = await reviewerLinksOf(trx, link.dataset_id);
  if (all.filter((one) => isUsable(one, now)).length >= most) return undefined;
  const forgotten = all.filter((one) => !isUsable(one, now)).slice(most);
  if (forgotten.length > 0) {
    const ids = forgotten.map(({ id }) => id);
    await trx.deleteFrom("reviewer_link").where("id", "in", ids).execute();
  }
  return trx.insertInto("reviewer_link").values(link).returning(VISIBLE).executeTakeFirstOrThrow();
}

/** Revokes a link of a dataset. @returns false if it was revoked before */
export async function revokeReviewerLink(trx: Trx, id: string, by: string): Promise<boolean> {
  const revoked = await trx
    .updateTable("reviewer_link")
    .set({ revoked_at: new Date(), revoked_by: by })
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return revoked.numUpdatedRows === 1n;
}

/** Counts a visit. Nothing about the visitor is stored. */
export async function recordVisit(db: Queries, id: string): Promise<void> {
  await db
    .updateTable("reviewer_link")
    .set((eb) => ({ visits: eb("visits", "+", 1), last_visit_at: new Date() }))
    .where("id", "=", id)
    .execute();
}
