import type { ArchivedReview } from "../archive/archived-records.ts";
import type { ChosenDoi, ReviewRecord, ReviewState } from "../archive/receipts/review-record.ts";
import { restoreChosenDoi, restoreReservedDoi } from "../db/publication/dois.ts";
import { restoreEntries } from "../db/publication/history.ts";
import {
  changePublication,
  NO_FAILURE,
  type PublicationChange,
  type PublicationRow,
  privatePublication,
} from "../db/publication/publications.ts";
import { markReviewKept } from "../db/publication/records.ts";
import { restoreRecord } from "../db/rebuild-rows.ts";
import type { Trx } from "../db/submissions/submissions.ts";
import { CONCEPT } from "../publication/rules/doi.ts";
import { type Access, closerAccess } from "./closer-access.ts";

/**
 * Restores the review of a version from its records: request, agreement, decisions and history. A decision that leads to publication
 * may have been taken back after the newest record, so that an approved version is in review again; what is public is only decided by
 * publication records. DataCite is asked for DOIs that may exist.
 *
 * @param records all of the version, oldest first
 * @param of.known the publication in the database
 * @param of.isDecided whether a publication record states that the version is published or withdrawn
 * @param of.isFollowed whether publication records follow that the database lacks; they decide about the access
 * @returns whether the version is in review again
 */
export async function restoreReview(
  trx: Trx,
  records: readonly ArchivedReview[],
  { known, isDecided, isFollowed }: { known: PublicationRow | undefined; isDecided: boolean; isFollowed: boolean },
): Promise<boolean> {
  const newest = records.at(-1)?.record;
  if (newest === undefined) return false;
  const { publication, dataset } = newest;
  const subject = { dataset_id: dataset.id, version: dataset.version };
  const row = known ?? privatePublication(dataset.id, dataset.version, new Date(publication.since));
  const wasPublished = row.published_at !== null;
  const isAgain = !wasPublished && !isDecided && isUndecided(publication);
  const sent = newest.dois.filter((doi) => mayBeSent(doi, records));
  await changePublication(trx, row, {
    ...requestOf(publication),
    ...(wasPublished
      ? { ...closing(row, publication), ...(!isFollowed && closerAccess(row, accessIn(publication))) }
      : decided(publication)),
    ...(isAgain && IN_REVIEW),
    ...(!wasPublished && sent.length > 0 && { retracted_at: row.retracted_at ?? new Date() }),
    ...((wasPublished || sent.length > 0) && { next_at: new Date(), ...NO_FAILURE }),
  });
  await restoreEntries(trx, subject, entriesOf(records));
  for (const { record, jws } of records) {
    const at = new Date(record.issuedAt);
    await restoreRecord(trx, { ...subject, kind: "review", no: record.number, issued_at: at, jws, stored_at: at });
  }
  await markReviewKept(trx, subject, newest.through);
  for (const doi of newest.dois) await restoreDoiOf(trx, newest, doi, sent.includes(doi));
  return isAgain;
}

/** Whether a request that names the DOI may have reached DataCite. Reserved ones are sent when the registration begins. */
function mayBeSent({ reserved }: ChosenDoi, records: readonly ArchivedReview[]): boolean {
  if (!reserved) return true;
  return records.some(({ record }) => record.entries.some(({ state }) => state === "registering"));
}

function isUndecided({ state }: ReviewState): boolean {
  return state === "approved" || state === "registering" || state === "published";
}

/** What was requested. */
function requestOf(publication: ReviewState): PublicationChange {
  const { requestedAt } = publication;
  return {
    requested_by: publication.requestedBy,
    requested_at: requestedAt === null ? null : new Date(requestedAt),
    agreement: publication.agreement,
    access_reason: publication.accessReason,
    publish_on_approval: publication.publishOnApproval,
    show_source: publication.showSource,
    assignee: publication.assignee,
    approved_by: publication.approvedBy,
    approved_at: publication.approvedAt === null ? null : new Date(publication.approvedAt),
  };
}

export function accessIn({ access, embargoDate }: ReviewState): Access {
  return { access, embargo_date: embargoDate };
}

/** The state of a version that was not published. */
function decided(publication: ReviewState): PublicationChange {
  const { state, since, revision, reviewed, withdrawn } = publication;
  return {
    ...{ state, since: new Date(since), revision, announced_at: null, reviewed_sha512: reviewed },
    ...accessIn(publication),
    ...withdrawal(withdrawn),
  };
}

/** The columns of an approval that is asked for again. */
const IN_REVIEW = {
  state: "in_review",
  approved_by: null,
  approved_at: null,
  reviewed_sha512: null,
} as const satisfies PublicationChange;

/** A version that is public is closed by a withdrawal of which the archive has no publication record yet. */
function closing({ state }: PublicationRow, { since, withdrawn }: ReviewState): PublicationChange {
  if (state === "withdrawn" || withdrawn === null) return {};
  return { state: "withdrawn", since: new Date(since), ...withdrawal(withdrawn) };
}

function withdrawal(withdrawn: ReviewState["withdrawn"]): PublicationChange {
  if (withdrawn === null) return { withdrawn_at: null, withdrawn_reason: null };
  return { withdrawn_at: new Date(withdrawn.at), withdrawn_reason: withdrawn.reason };
}

function entriesOf(records: readonly ArchivedReview[]) {
  return records.flatMap(({ record }) => record.entries.map((entry) => ({ ...entry, at: new Date(entry.at) })));
}

async function restoreDoiOf(trx: Trx, { dataset }: ReviewRecord, doi: ChosenDoi, wasSent: boolean): Promise<void> {
  const version = doi.for === "dataset" ? CONCEPT : dataset.version;
  const row = { doi: doi.doi, dataset_id: dataset.id, version, created_at: new Date(doi.createdAt) };
  if (doi.reserved && !wasSent) await restoreReservedDoi(trx, row);
  else await restoreChosenDoi(trx, { ...row, reserved: doi.reserved });
}
