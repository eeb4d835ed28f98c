import type { Archived, ArchivedRecord, ArchivedReview } from "../archive/archived-records.ts";
import type { PublicationRecord } from "../archive/receipts/publication-record.ts";
import type { ReviewRecord, ReviewState } from "../archive/receipts/review-record.ts";
import { recordOf } from "../archive/receipts/signing.ts";
import type { Queries } from "../db/database.ts";
import { restoreDoi } from "../db/publication/dois.ts";
import { addEntry, hasEntry, RESTORED } from "../db/publication/history.ts";
import {
  changePublication,
  ended,
  findPublication,
  NO_FAILURE,
  type PublicationChange,
  type PublicationRow,
  privatePublication,
  publicationsOf,
} from "../db/publication/publications.ts";
import { recordsOf, recordsOfKind } from "../db/publication/records.ts";
import { restoreRecord } from "../db/rebuild-rows.ts";
import { logEvent } from "../db/submissions/events.ts";
import type { Trx } from "../db/submissions/submissions.ts";
import { type DatedPublication, openedOn } from "../publication/rules/dates.ts";
import { CONCEPT } from "../publication/rules/doi.ts";
import { embargoNoticeKey } from "../publication/rules/embargo.ts";
import { published } from "../publication/rules/events.ts";
import type { RecordKind } from "../publication/rules/publication.ts";
import { isMetadataFixed, SERVICE } from "../publication/rules/states.ts";
import { type Access, closerAccess } from "./closer-access.ts";
import { accessIn, restoreReview } from "./restore-review.ts";

const DOI_URL = "https://doi.org/";

/** What the archive has of the publications of a dataset, oldest first. */
export interface ArchivedPublications {
  records: readonly ArchivedRecord[];
  reviews: readonly ArchivedReview[];
}

/**
 * Restores the publications of a dataset: the review from its records, and then what the newest publication record of a version
 * states, which decides about what is public.
 *
 * @param submissions the submission of each version
 */
export async function restorePublications(
  trx: Trx,
  { records, reviews }: ArchivedPublications,
  submissions: ReadonlyMap<number, string>,
): Promise<void> {
  const before = new Map<number, PublicationRow>();
  for (const [version, own] of Map.groupBy(reviews, ({ record }) => record.dataset.version)) {
    const [first] = own;
    if (first === undefined || !submissions.has(version)) continue;
    const known = await findPublication(trx, first.record.dataset.id, version);
    if (known !== undefined) before.set(version, known);
    const stated = records.findLast(({ record }) => record.dataset.version === version)?.record.state;
    const isDecided = stated === "published" || stated === "withdrawn";
    if (!(await restoreReview(trx, own, { known, isDecided, isFollowed: stated !== undefined }))) continue;
    const row = await findPublication(trx, first.record.dataset.id, version);
    if (row !== undefined) await addRestored(trx, row);
  }
  const concepts = new Map<string, Parameters<typeof restoreDoi>[1]>();
  for (const [version, own] of Map.groupBy(records, ({ record }) => record.dataset.version)) {
    const submission = submissions.get(version);
    const newest = own.at(-1)?.record;
    if (submission === undefined || newest === undefined) continue;
    const review = reviews.findLast(({ record }) => record.dataset.version === version)?.record;
    const known = review === undefined ? await findPublication(trx, newest.dataset.id, version) : before.get(version);
    await restorePublication(
      trx,
      own.map(({ record }) => record),
      { submission, known, review },
    );
    if (newest.conceptDoi !== undefined) {
      const doi = newest.conceptDoi.slice(DOI_URL.length);
      const isFindable = newest.publishedAt !== undefined || concepts.get(doi)?.state === "findable";
      const state = isFindable ? "findable" : "hidden";
      const { id: dataset_id } = newest.dataset;
      concepts.set(doi, { doi, dataset_id, version: CONCEPT, created_at: timeOf(newest), state });
    }
    for (const { jws, record } of own) {
      const { number: no, dataset } = record;
      const at = new Date(record.issuedAt);
      const key = { dataset_id: dataset.id, version, kind: "publication" as const, no };
      await restoreRecord(trx, { ...key, issued_at: at, jws, stored_at: at });
    }
  }
  for (const concept of concepts.values()) await restoreDoi(trx, concept);
}

/** The records of the publication that is in force: those since the publication was last taken back. */
function inForce(records: readonly PublicationRecord[]): readonly PublicationRecord[] {
  return records.slice(records.findLastIndex(({ state }) => state === "taken_back") + 1);
}

/** When the version was published; if it was not, when that was recorded. */
function timeOf({ publishedAt, issuedAt }: PublicationRecord): Date {
  return new Date(publishedAt ?? issuedAt);
}

/**
 * Returns the records of the versions of which the database lacks a record, or has another one: it was restored from a
 * backup. Later records in the database are not in the archive yet, and no difference.
 */
export async function recordsThatDiffer<Statement extends { number: number; dataset: { version: number } }>(
  db: Queries,
  { dataset: dataset_id, kind }: { dataset: string; kind: RecordKind },
  records: readonly Archived<Statement>[],
): Promise<Archived<Statement>[]> {
  const different: Archived<Statement>[] = [];
  for (const [version, own] of Map.groupBy(records, ({ record }) => record.dataset.version)) {
    const rows = await recordsOfKind(db, { dataset_id, version, kind });
    const known = new Map(rows.map(({ no, jws }) => [no, jws.trim()]));
    if (own.some(({ jws, record }) => known.get(record.number) !== jws.trim())) different.push(...own);
  }
  return different;
}

/** Ends what is in progress in a dataset that was withdrawn: no version is public, and none is reviewed. */
export async function endReviews(trx: Trx, dataset: string, at: Date): Promise<void> {
  for (const row of await publicationsOf(trx, dataset)) {
    if (row.state === "private" || row.state === "withdrawn") continue;
    await changePublication(trx, row, { state: "private", since: at, ...ended(row, at) });
  }
}

/**
 * Ends the approval of a version whose metadata are newer in the archive: approved metadata cannot be changed, so that the
 * approval was taken back after the backup.
 */
export async function takeBackApproval(trx: Trx, dataset: string, version: number): Promise<void> {
  const row = await findPublication(trx, dataset, version);
  if (row === undefined || !isMetadataFixed(row.state)) return;
  const now = new Date();
  const changed = await changePublication(trx, row, {
    ...{ ...TAKEN_BACK, since: now, reviewed_sha512: null },
    ...ended(row, now),
  });
  await addRestored(trx, changed);
}

/** Adds to the history that the archive has changed a publication of the database. */
async function addRestored(trx: Trx, { dataset_id, version, state, revision }: PublicationRow): Promise<void> {
  await addEntry(trx, {
    ...{ dataset_id, version, actor: SERVICE, action: RESTORED, state, comment: "" },
    ...{ place: null, answers: null, revision: revision ?? 1, data: null },
  });
}

interface Restored {
  submission: string;
  /** The publication in the database before anything was restored. */
  known: PublicationRow | undefined;
  /** The newest record of its review. */
  review: ReviewRecord | undefined;
}

async function restorePublication(
  trx: Trx,
  records: readonly PublicationRecord[],
  { submission, known, review }: Restored,
): Promise<void> {
  const newest = records.at(-1);
  if (newest === undefined) return;
  const own = inForce(records);
  const [first = newest] = own;
  const { dataset, identifier, state, digests, withdrawn } = newest;
  const { id, version } = dataset;
  // The one that was approved; later records name later revisions.
  const { revision } = first.dataset;
  const at = timeOf(newest);
  const reviewed = await findPublication(trx, id, version);
  // A review that began after the publication was taken back.
  const isLater = review !== undefined && review.issuedAt > newest.issuedAt;
  const access = await accessOf(trx, newest, { known, review: isLater ? review.publication : undefined });
  const wasPublished = newest.publishedAt !== undefined;
  const isKnown = known?.state === "published" || known?.state === "withdrawn";
  // Only a DOI is public before the publication is complete.
  const hasDoi = identifier.startsWith(DOI_URL);
  const row = reviewed ?? privatePublication(id, version, at);
  const changed = await changePublication(trx, row, {
    ...(state === "taken_back" ? !isLater && { ...TAKEN_BACK, since: at } : { state, revision }),
    ...access,
    ...(state !== "taken_back" && { since: withdrawn === undefined ? at : new Date(withdrawn.at) }),
    identifier: wasPublished ? identifier : null,
    opened_on: access.access === "open" ? openedOnOf(own) : null,
    embargo_notice: embargoNoticeKey(access.embargo_date, new Date()),
    reviewed_sha512: state === "taken_back" ? null : digests.reviewed,
    published_at: wasPublished ? at : null,
    retracted_at: !wasPublished && hasDoi ? at : null,
    withdrawn_at: withdrawn === undefined ? null : new Date(withdrawn.at),
    withdrawn_reason: withdrawn?.reason ?? null,
    ...NO_FAILURE,
    // What the DOI states is compared with the archive.
    next_at: new Date(),
    ...(state !== "withdrawn" && reviewed?.state === "withdrawn" && stillWithdrawn(reviewed)),
  });
  if (known !== undefined) await addRestored(trx, changed);
  if (wasPublished && !(await hasEntry(trx, id, version, "published"))) {
    const entry = { state: state === "withdrawn" ? state : ("published" as const), comment: "", at };
    await addEntry(trx, {
      ...{ dataset_id: id, version, actor: SERVICE, action: "published", ...entry },
      ...{ place: null, answers: null, revision, data: { identifier } },
    });
  }
  if (!isKnown && wasPublished) {
    await logEvent(trx, submission, published({ dataset: id, version, revision, identifier }), at);
  }
  if (hasDoi) {
    const doi = { doi: identifier.slice(DOI_URL.length), dataset_id: id, version, created_at: at };
    await restoreDoi(trx, { ...doi, state: wasPublished ? "findable" : "hidden" });
  }
}

/** The columns of an approval that does not apply any more. */
const TAKEN_BACK = {
  state: "private",
  revision: null,
  approved_by: null,
  approved_at: null,
  announced_at: null,
} as const satisfies PublicationChange;

/** The day on which a change of access opened the files, according to the records in order. */
function openedOnOf(records: readonly PublicationRecord[]): string | null {
  let before: DatedPublication | undefined;
  for (const { access, embargoDate = null, publishedAt, issuedAt } of records) {
    const opened = before === undefined ? null : openedOn(before, access, new Date(issuedAt));
    before = { publishedAt: new Date(publishedAt ?? issuedAt), access, embargoDate, openedOn: opened };
  }
  return before?.openedOn ?? null;
}

/** A version that was withdrawn in the database, but not in the archive, stays withdrawn. The service then stores a record of it. */
function stillWithdrawn({ state, since, withdrawn_at, withdrawn_reason }: PublicationRow): Partial<PublicationRow> {
  return { state, since, withdrawn_at, withdrawn_reason };
}

/**
 * The access that the newest record states. If the access was changed in the database after its own last record, or in a review
 * after the record, the more closed one: the person who changed it saw only that state.
 * @param of.review what a review record states that is later than the publication record
 */
async function accessOf(
  trx: Trx,
  { access, embargoDate, state }: PublicationRecord,
  { known, review }: { known: PublicationRow | undefined; review: ReviewState | undefined },
): Promise<Access> {
  const stated = { access, embargo_date: embargoDate ?? null };
  if (review !== undefined && state === "taken_back") return accessIn(review);
  const now = review === undefined ? stated : closerAccess(stated, accessIn(review));
  if (known === undefined || (known.published_at === null && known.state !== "registering")) return now;
  const own = (await recordsOf(trx, known.dataset_id, known.version)).at(-1);
  const isRecorded = own !== undefined && isSameAccess(recordOf(own.jws), known);
  return isRecorded ? now : closerAccess(now, known);
}

function isSameAccess({ access, embargoDate }: PublicationRecord, known: PublicationRow): boolean {
  return access === known.access && (embargoDate ?? null) === known.embargo_date;
}
