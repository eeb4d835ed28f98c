import { ACCESS_KINDS } from "../../packages/rules/src/index.ts";
import type { PublicationRecord } from "../archive/receipts/publication-record.ts";
import type { ReviewRecord } from "../archive/receipts/review-record.ts";
import { recordOf } from "../archive/receipts/signing.ts";
import type { PublicationRow } from "../db/publication/publications.ts";
import { recordsOf } from "../db/publication/records.ts";
import type { Trx } from "../db/submissions/submissions.ts";
import type { Newest, RestoredState } from "./restored-state.ts";

type Access = Pick<PublicationRow, "access" | "embargo_date">;

/** What states the access of a version: its newest records, and the publication in the database. */
interface Sources {
  newest: Newest;
  state: RestoredState;
  known: PublicationRow | undefined;
}

/**
 * The access that the newest record states. If the access was changed in the database after its own last record, or in a review
 * after the record, the more closed one: the person who changed it saw only that state.
 */
export async function accessOf(trx: Trx, { newest: { record, review }, state, known }: Sources): Promise<Access> {
  const reviewed = review && accessIn(review);
  const recorded = record && { access: record.access, embargo_date: record.embargoDate ?? null };
  if (!state.wasPublished) return reviewed ?? recorded ?? { access: "open", embargo_date: null };
  const isReviewLater = review !== undefined && review.publicationRecords >= (record?.number ?? 0);
  const stated = [recorded, isReviewLater ? reviewed : undefined].filter((one) => one !== undefined);
  if (known !== undefined && (known.published_at !== null || known.state === "registering")) {
    const own = (await recordsOf(trx, known.dataset_id, known.version)).at(-1);
    if (own === undefined || !isSameAccess(recordOf(own.jws), known)) stated.push(known);
  }
  return stated.reduce(closerAccess, { access: "open", embargo_date: null });
}

function accessIn(review: ReviewRecord): Access {
  const { access, embargoDate } = review.publication;
  return { access, embargo_date: embargoDate };
}

function isSameAccess({ access, embargoDate }: PublicationRecord, known: PublicationRow): boolean {
  return access === known.access && (embargoDate ?? null) === known.embargo_date;
}

/** The one of two accesses that closes more. If two sources differ, it is unknown which one a person has seen last. */
function closerAccess(one: Access, other: Access): Access {
  const { access, embargo_date } = closedness(other) > closedness(one) ? other : one;
  return { access, embargo_date };
}

/** Orders accesses by how much they close: kinds in the order of `ACCESS_KINDS`, and embargoes by their end. */
function closedness({ access, embargo_date }: Access): string {
  return `${ACCESS_KINDS.indexOf(access)} ${embargo_date ?? ""}`;
}
