import type { ArchivedReview } from "../archive/archived-records.ts";
import type { ChosenDoi, ReviewRecord } from "../archive/receipts/review-record.ts";
import { restoreEntries } from "../db/publication/history.ts";
import type { PublicationChange } from "../db/publication/publications.ts";
import { restoreReservedDoi, restoreSentDoi } from "../db/publication/restored-dois.ts";
import { restoreRecord } from "../db/rebuild-rows.ts";
import type { Trx } from "../db/submissions/submissions.ts";
import { CONCEPT } from "../publication/rules/doi.ts";

/**
 * Restores the history of a review, its records, and the DOIs that were chosen, for a publication that the database has.
 * @param reviews all of the version, oldest first
 */
export async function restoreReview(trx: Trx, reviews: readonly ArchivedReview[]): Promise<void> {
  const newest = reviews.at(-1)?.record;
  if (newest === undefined) return;
  const { id: dataset_id, version } = newest.dataset;
  const subject = { dataset_id, version };
  const entries = reviews.flatMap(({ record }) => record.entries);
  await restoreEntries(
    trx,
    subject,
    entries.map((entry) => ({ ...entry, at: new Date(entry.at) })),
  );
  for (const { record, jws } of reviews) {
    const at = new Date(record.issuedAt);
    await restoreRecord(trx, { ...subject, kind: "review", no: record.number, issued_at: at, jws, stored_at: at });
  }
  for (const doi of newest.dois) await restoreDoiOf(trx, newest, doi);
}

/** A DOI that may be public is never replaced. A reserved one that DataCite has not created yet is created. */
async function restoreDoiOf(trx: Trx, { dataset }: ReviewRecord, doi: ChosenDoi): Promise<void> {
  const version = doi.for === "dataset" ? CONCEPT : dataset.version;
  const row = { doi: doi.doi, dataset_id: dataset.id, version, created_at: new Date(doi.createdAt) };
  if (doi.mayBePublic) await restoreSentDoi(trx, { ...row, reserved: doi.reserved });
  else if (doi.reserved) await restoreReservedDoi(trx, row, doi.hasDraft);
}

/** Who requested and what, according to the newest review record. */
export function requestOf({ publication }: ReviewRecord): PublicationChange {
  const { requestedAt, approvedAt } = publication;
  return {
    requested_by: publication.requestedBy,
    requested_at: requestedAt === null ? null : new Date(requestedAt),
    agreement: publication.agreement,
    access_reason: publication.accessReason,
    publish_on_approval: publication.publishOnApproval,
    show_source: publication.showSource,
    collections: publication.collections ?? [],
    assignee: publication.assignee,
    approved_by: publication.approvedBy,
    approved_at: approvedAt === null ? null : new Date(approvedAt),
  };
}

/** Whether a request that makes the DOI of the version public may have reached DataCite. */
export function mayBePublic({ dois }: ReviewRecord): boolean {
  return dois.some((doi) => doi.for === "version" && doi.mayBePublic);
}
