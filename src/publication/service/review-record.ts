import { isDeepStrictEqual } from "node:util";
import { recordDigest } from "../../archive/receipts/publication-record.ts";
import type { ChosenDoi, ReviewEntry, ReviewRecord, ReviewState } from "../../archive/receipts/review-record.ts";
import { reviewOf, signReviewRecord } from "../../archive/receipts/signing.ts";
import type { Queries } from "../../db/database.ts";
import { lockDataset } from "../../db/datasets/datasets.ts";
import { doisOf } from "../../db/publication/dois.ts";
import { type EntryRow, entriesAfter } from "../../db/publication/history.ts";
import { lockPublication, type PublicationRow } from "../../db/publication/publications.ts";
import { addRecord, beginReview, newestRecord, reviewStored } from "../../db/publication/records.ts";
import type { Trx } from "../../db/submissions/submissions.ts";
import type { StepContext } from "../../steps/context.ts";
import { CONCEPT } from "../rules/doi.ts";
import { storeRecords } from "./store-records.ts";

/** Entries in one record, so that a record has at most some MB; the next record has the following ones. */
const MOST_ENTRIES = 200;

type Publication = Pick<PublicationRow, "dataset_id" | "version">;

/** Stores a review if anything of it is due. A failed try is repeated a minute later. */
export async function storeDueReview(context: StepContext, publication: Publication): Promise<void> {
  const begun = await beginReview(context.db, publication);
  if (begun === undefined) return;
  await storeReview(context, publication);
  await reviewStored(context.db, publication, begun);
}

/**
 * Signs and stores in the archive what its review records lack: the entries of the history, the state after them, and the DOIs
 * that were chosen. A rebuilt database knows from it who requested and decided, and which DOIs may exist. May run again after any
 * crash. Only the job of the publication calls it, so that no two processes write the same file.
 */
export async function storeReview(context: StepContext, { dataset_id, version }: Publication): Promise<void> {
  const subject = { dataset_id, version, kind: "review" as const };
  let signed: Signed;
  do {
    signed = await context.db.transaction().execute((trx) => signNext(context, trx, subject));
    if (signed !== "never") await storeRecords(context, subject);
  } while (signed === "some");
}

/** Whether a record was signed, all are signed, or the dataset is withdrawn, whose logs are removed. */
type Signed = "some" | "all" | "never";

async function signNext(
  { signingKey, publisher, publicUrl, publication }: StepContext,
  trx: Trx,
  subject: Publication & { kind: "review" },
): Promise<Signed> {
  const { dataset_id, version } = subject;
  const dataset = await lockDataset(trx, dataset_id);
  const row = await lockPublication(trx, dataset_id, version);
  if (dataset === undefined || dataset.withdrawn_at !== null || row === undefined) return "never";
  const last = await newestRecord(trx, subject);
  const known = last && reviewOf(last.jws);
  const after = known?.through ?? 0;
  const entries = await entriesAfter(trx, { dataset_id, version, after, limit: MOST_ENTRIES });
  const dois = await chosenDois(trx, row);
  if (entries.length === 0 && isDeepStrictEqual(known?.dois ?? [], dois)) return "all";
  const issuedAt = new Date();
  const record: ReviewRecord = {
    number: (last?.no ?? 0) + 1,
    dataset: { id: dataset_id, version },
    mode: publication.mode === "direct" ? "direct" : "review",
    publication: stateOf(row),
    publicationRecords: (await newestRecord(trx, { ...subject, kind: "publication" }))?.no ?? 0,
    dois,
    through: entries.at(-1)?.no ?? after,
    entries: entries.filter(isOfReview).map(entryOf),
    ...(last !== undefined && { previous: recordDigest(last.jws) }),
    issuedAt: issuedAt.toISOString(),
    issuer: { publisher: publisher.name, url: publicUrl() },
  };
  const jws = await signReviewRecord(record, signingKey);
  await addRecord(trx, { ...subject, no: record.number, issued_at: issuedAt, jws });
  return "some";
}

async function chosenDois(db: Queries, { dataset_id, version, state }: PublicationRow): Promise<ChosenDoi[]> {
  const dois = (await doisOf(db, dataset_id)).filter((doi) => doi.version === version || doi.version === CONCEPT);
  return dois
    .toSorted((one, other) => other.version - one.version)
    .map((doi) => ({
      ...{ doi: doi.doi, for: doi.version === CONCEPT ? ("dataset" as const) : ("version" as const) },
      ...{ reserved: doi.reserved, hasDraft: doi.state !== "chosen" },
      // It is about to be sent.
      mayBePublic: doi.sent_sha256 !== null || state === "registering",
      createdAt: doi.created_at.toISOString(),
    }));
}

/** Access that was asked for and granted to persons is not part of the review, and grants are not in the archive. */
function isOfReview({ action }: EntryRow): boolean {
  return !action.startsWith("access_");
}

function stateOf(row: PublicationRow): ReviewState {
  const { withdrawn_at: at } = row;
  return {
    state: row.state,
    since: row.since.toISOString(),
    revision: row.revision,
    requestedBy: row.requested_by,
    requestedAt: row.requested_at?.toISOString() ?? null,
    agreement: row.agreement,
    access: row.access,
    embargoDate: row.embargo_date,
    accessReason: row.access_reason,
    publishOnApproval: row.publish_on_approval,
    showSource: row.show_source,
    ...(row.collections.length > 0 && { collections: row.collections }),
    assignee: row.assignee,
    approvedBy: row.approved_by,
    approvedAt: row.approved_at?.toISOString() ?? null,
    reviewed: row.reviewed_sha512,
    publishedAt: row.published_at?.toISOString() ?? null,
    withdrawn: at === null ? null : { at: at.toISOString(), reason: row.withdrawn_reason ?? "" },
  };
}

function entryOf({ dataset_id: _, version: __, at, ...entry }: EntryRow): ReviewEntry {
  return { ...entry, at: at.toISOString() };
}
