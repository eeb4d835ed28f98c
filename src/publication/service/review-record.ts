import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { ChosenDoi, ReviewEntry, ReviewRecord, ReviewState } from "../../archive/receipts/review-record.ts";
import { reviewOf, signReviewRecord } from "../../archive/receipts/signing.ts";
import type { Queries } from "../../db/database.ts";
import { lockDataset } from "../../db/datasets/datasets.ts";
import { doisOf } from "../../db/publication/dois.ts";
import { type EntryRow, entriesAfter } from "../../db/publication/history.ts";
import { lockPublication, type PublicationRow } from "../../db/publication/publications.ts";
import { addRecord, markReviewKept, newestRecord } from "../../db/publication/records.ts";
import type { StepContext } from "../../steps/context.ts";
import { CONCEPT } from "../rules/doi.ts";
import { storeRecords } from "./store-records.ts";

/** Entries in one record, so that a record has at most some MB; the next record has the following ones. */
const MOST_ENTRIES = 200;

/**
 * Signs and stores in the archive what its review records lack: the entries of the history, the state after them, and the DOIs
 * that were chosen. A rebuilt database knows from it who requested and decided, and which DOIs may exist. May run again after any
 * crash, and at the same time in two processes.
 */
export async function keepReview(
  context: StepContext,
  { dataset_id, version }: Pick<PublicationRow, "dataset_id" | "version">,
): Promise<void> {
  const { db } = context;
  const subject = { dataset_id, version, kind: "review" as const };
  let through: number | undefined;
  do {
    through = await db.transaction().execute((trx) => signNext(context, trx, subject));
    await storeRecords(context, subject);
    if (through !== undefined) await markReviewKept(db, subject, through);
  } while (through !== undefined);
}

/** Signs the next record. @returns the number of the newest entry in it; undefined if the records are complete */
async function signNext(
  { signingKey, publisher, publicUrl }: StepContext,
  trx: Parameters<typeof lockDataset>[0],
  subject: { dataset_id: string; version: number; kind: "review" },
): Promise<number | undefined> {
  const { dataset_id, version } = subject;
  const dataset = await lockDataset(trx, dataset_id);
  const row = await lockPublication(trx, dataset_id, version);
  // The logs of a withdrawn dataset are removed.
  if (dataset === undefined || dataset.withdrawn_at !== null || row === undefined) return undefined;
  const last = await newestRecord(trx, subject);
  const known = last && reviewOf(last.jws);
  const after = known?.through ?? 0;
  const entries = await entriesAfter(trx, { dataset_id, version, after, limit: MOST_ENTRIES });
  const dois = await chosenDois(trx, row);
  if (entries.length === 0 && isDeepStrictEqual(known?.dois ?? [], dois)) return undefined;
  const issuedAt = new Date();
  const record: ReviewRecord = {
    number: (last?.no ?? 0) + 1,
    dataset: { id: dataset_id, version },
    publication: stateOf(row),
    dois,
    through: entries.at(-1)?.no ?? after,
    entries: entries.map(entryOf),
    ...(last !== undefined && { previous: createHash("sha512").update(last.jws).digest("hex") }),
    issuedAt: issuedAt.toISOString(),
    issuer: { publisher: publisher.name, url: publicUrl() },
  };
  const jws = await signReviewRecord(record, signingKey);
  await addRecord(trx, { ...subject, no: record.number, issued_at: issuedAt, jws });
  return record.through;
}

async function chosenDois(db: Queries, { dataset_id, version }: PublicationRow): Promise<ChosenDoi[]> {
  const dois = (await doisOf(db, dataset_id)).filter((doi) => doi.version === version || doi.version === CONCEPT);
  return dois
    .toSorted((one, other) => other.version - one.version)
    .map(({ doi, version: of, reserved, created_at }) => ({
      ...{ doi, for: of === CONCEPT ? ("dataset" as const) : ("version" as const) },
      ...{ reserved, createdAt: created_at.toISOString() },
    }));
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
    assignee: row.assignee,
    approvedBy: row.approved_by,
    approvedAt: row.approved_at?.toISOString() ?? null,
    reviewed: row.reviewed_sha512,
    withdrawn: at === null ? null : { at: at.toISOString(), reason: row.withdrawn_reason ?? "" },
  };
}

function entryOf({ dataset_id: _, version: __, at, ...entry }: EntryRow): ReviewEntry {
  return { ...entry, at: at.toISOString() };
}
