import type { PublicationRecord } from "../archive/receipts/publication-record.ts";
import type { ReviewRecord } from "../archive/receipts/review-record.ts";
import type { PublicationState } from "../publication/rules/states.ts";

/** The newest records of a version in the archive. */
export interface Newest {
  record: PublicationRecord | undefined;
  review: ReviewRecord | undefined;
}

/** The state in which a version is restored. */
export interface RestoredState {
  state: PublicationState;
  /** Whether the publication was complete. */
  wasPublished: boolean;
  /** Whether a decision that leads to publication is asked for again. */
  isAskedAgain: boolean;
}

/**
 * Decides the state of a version from its newest records. Only a publication record makes a version public, and only if no later
 * review record says that the publication has ended. A decision that leads to publication may have been taken back after the newest
 * record, so that it is asked for again: by the curators, or by the owner where requests are not reviewed.
 */
export function restoredState({ record, review }: Newest): RestoredState {
  if (record === undefined) return review === undefined ? PRIVATE : fromReview(review);
  const { state, publishedAt, number } = record;
  const reviewAfter = review !== undefined && review.publicationRecords >= number ? review : undefined;
  switch (state) {
    case "withdrawn":
      return { state, wasPublished: publishedAt !== undefined, isAskedAgain: false };
    case "taken_back": {
      if (reviewAfter !== undefined) return fromReview(reviewAfter);
      // A request that followed while DataCite was asked remains.
      return review === undefined || leadsToPublication(review) ? PRIVATE : fromReview(review);
    }
    case "published": {
      const later = reviewAfter?.publication.state ?? "published";
      if (later === "published" || later === "registering") {
        return { state: "published", wasPublished: true, isAskedAgain: false };
      }
      return reviewAfter === undefined ? PRIVATE : fromReview(reviewAfter);
    }
  }
}

const PRIVATE: RestoredState = { state: "private", wasPublished: false, isAskedAgain: false };

function fromReview(review: ReviewRecord): RestoredState {
  const { state } = review.publication;
  if (state === "withdrawn")
    return { state, wasPublished: review.publication.publishedAt !== null, isAskedAgain: false };
  if (!leadsToPublication(review)) return { state, wasPublished: false, isAskedAgain: false };
  return { state: review.mode === "review" ? "in_review" : "private", wasPublished: false, isAskedAgain: true };
}

function leadsToPublication({ publication: { state } }: ReviewRecord): boolean {
  return state === "approved" || state === "registering" || state === "published";
}
