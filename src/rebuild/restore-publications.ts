import { isMetadataFixed } from "../../packages/rules/src/index.ts";
import type { ArchivedRecord, ArchivedReview } from "../archive/archived-records.ts";
import type { PublicationRecord } from "../archive/receipts/publication-record.ts";
import type { Queries } from "../db/database.ts";
import { addEntry, hasEntry, RESTORED } from "../db/publication/history.ts";
import {
  changePublication,
  endOfPublication,
  findPublication,
  NO_FAILURE,
  type PublicationChange,
  type PublicationRow,
  privatePublication,
  publicationsOf,
} from "../db/publication/publications.ts";
import { recordsOfKind } from "../db/publication/records.ts";
import { restoreDoi } from "../db/publication/restored-dois.ts";
import { restoreRecord } from "../db/rebuild-rows.ts";
import { logEvent } from "../db/submissions/events.ts";
import type { Trx } from "../db/submissions/submissions.ts";
import { type DatedPublication, openedOn } from "../publication/rules/dates.ts";
import { CONCEPT, DOI_URL } from "../publication/rules/doi.ts";
import { embargoNoticeKey } from "../publication/rules/embargo-notices.ts";
import { published } from "../publication/rules/events.ts";
import { SERVICE } from "../publication/rules/states.ts";
import { restoreMembers } from "./restore-collections.ts";
import { mayBePublic, requestOf, restoreReview } from "./restore-review.ts";
import { accessOf } from "./restored-access.ts";
import { type Newest, type RestoredState, restoredState } from "./restored-state.ts";

/** What the archive has of the publications of a dataset, oldest first. */
export interface ArchivedPublications {
  records: readonly ArchivedRecord[];
  reviews: readonly ArchivedReview[];
}

/**
 * Restores the publications of a dataset: the history of each review, the state that the newest records of a version state, and the
 * collections of the dataset.
 * @param submissions the submission of each version
 */
export async function restorePublications(
  trx: Trx,
  { records, reviews }: ArchivedPublications,
  submissions: ReadonlyMap<number, string>,
): Promise<void> {
  const concepts = new Map<string, Parameters<typeof restoreDoi>[1]>();
  for (const [version, submission] of submissions) {
    const own = {
      records: records.filter(({ record }) => record.dataset.version === version),
      reviews: reviews.filter(({ record }) => record.dataset.version === version),
    };
    const newest = { record: own.records.at(-1)?.record, review: own.reviews.at(-1)?.record };
    const dataset_id = (newest.record ?? newest.review)?.dataset.id;
    if (dataset_id === undefined) continue;
    const state = restoredState(newest);
    const known = await findPublication(trx, dataset_id, version);
    const current = inForce(own.records.map(({ record }) => record));
    const row = await restoreRow(trx, { dataset_id, version, known, newest, state, inForce: current });
    await restoreReview(trx, own.reviews);
    if (known !== undefined || state.isAskedAgain) await addRestored(trx, row);
    const isKnown = known?.state === "published" || known?.state === "withdrawn";
    if (state.wasPublished) await restorePublished(trx, row, isKnown ? undefined : submission);
    if (newest.record !== undefined) await restoreRegistered(trx, newest.record, state, concepts);
    for (const { jws, record } of own.records) {
      const at = new Date(record.issuedAt);
      const key = { dataset_id, version, kind: "publication" as const, no: record.number };
      await restoreRecord(trx, { ...key, issued_at: at, jws, stored_at: at });
    }
  }
  for (const concept of concepts.values()) await restoreDoi(trx, concept);
  const [dataset] = [...records, ...reviews].map(({ record }) => record.dataset.id);
  if (dataset !== undefined) await restoreMembers(trx, dataset);
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
 * Returns what the archive has of the versions of which the database lacks a record, or has another one: it was restored from a
 * backup. Later records in the database are not in the archive yet, and no difference.
 */
export async function publicationsThatDiffer(
  db: Queries,
  dataset_id: string,
  { records, reviews }: ArchivedPublications,
): Promise<ArchivedPublications> {
  const different = new Set<number>();
  for (const [kind, archived] of [["publication", records] as const, ["review", reviews] as const]) {
    const versions = new Set(archived.map(({ record }) => record.dataset.version));
    for (const version of versions) {
      const rows = await recordsOfKind(db, { dataset_id, version, kind });
      const known = new Map(rows.map(({ no, jws }) => [no, jws.trim()]));
      const own = archived.filter(({ record }) => record.dataset.version === version);
      if (own.some(({ jws, record }) => known.get(record.number) !== jws.trim())) different.add(version);
    }
  }
  return {
    records: records.filter(({ record }) => different.has(record.dataset.version)),
    reviews: reviews.filter(({ record }) => different.has(record.dataset.version)),
  };
}

/** Ends what is in progress in a dataset that was withdrawn: no version is public, and none is reviewed. */
export async function endReviews(trx: Trx, dataset: string, at: Date): Promise<void> {
  for (const row of await publicationsOf(trx, dataset)) {
    if (row.state === "private" || row.state === "withdrawn") continue;
    await changePublication(trx, row, { state: "private", since: at, ...endOfPublication(row, at) });
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
    ...endOfPublication(row, now),
  });
  await addRestored(trx, changed);
}

/** Adds to the history that the archive has changed a publication of the database. */
async function addRestored(trx: Trx, { dataset_id, version, state, revision }: PublicationRow): Promise<void> {
  await addEntry(trx, {
    ...{ dataset_id, version, actor: SERVICE, action: RESTORED, state, revision: revision ?? 1 },
  });
}

interface Restored {
  dataset_id: string;
  version: number;
  /** The publication in the database. */
  known: PublicationRow | undefined;
  newest: Newest;
  state: RestoredState;
  /** The publication records since the publication was last taken back. */
  inForce: readonly PublicationRecord[];
}

async function restoreRow(trx: Trx, restored: Restored): Promise<PublicationRow> {
  const { dataset_id, version, known, newest, state, inForce: own } = restored;
  const { record, review } = newest;
  const now = new Date();
  const at = record === undefined ? new Date(review?.publication.since ?? now) : timeOf(record);
  const access = await accessOf(trx, restored);
  const isRetracted = !state.wasPublished && mayLead(newest);
  const staysWithdrawn = state.state !== "withdrawn" && known?.state === "withdrawn";
  return changePublication(trx, known ?? privatePublication(dataset_id, version, at), {
    ...(review !== undefined && requestOf(review)),
    ...(state.wasPublished && { show_source: review !== undefined && showsSource(newest) }),
    ...stateColumns(restored, at, now),
    ...access,
    embargo_notice: embargoNoticeKey(access.embargo_date, now),
    opened_on: state.wasPublished && access.access === "open" ? openedOnOf(own) : null,
    announced_at: null,
    retracted_at: isRetracted ? (known?.retracted_at ?? now) : null,
    reminded_at: now,
    ...NO_FAILURE,
    // What DataCite and the archive have is compared, and a DOI that may be public is hidden.
    ...((record !== undefined || isRetracted) && { next_at: now }),
    ...(staysWithdrawn && stillWithdrawn(known)),
  });
}

/** Whether a DOI may lead to a version that was not published. */
function mayLead({ record, review }: Newest): boolean {
  const isOfRecord = record?.identifier.startsWith(DOI_URL) === true;
  return isOfRecord || (review !== undefined && mayBePublic(review));
}

/** Whether the owner has agreed that the public sees the source. Otherwise the agreement may be that of an earlier request. */
function showsSource({ record, review }: Newest): boolean {
  if (review === undefined || !review.publication.showSource) return false;
  return review.publication.state === "registering" || review.publicationRecords >= (record?.number ?? 0);
}

function stateColumns({ newest, state, inForce: own }: Restored, at: Date, now: Date): PublicationChange {
  const { record, review } = newest;
  const reviewed = review?.publication;
  if (state.wasPublished || record?.state === "withdrawn") {
    const withdrawn = record?.withdrawn ?? reviewed?.withdrawn ?? undefined;
    const isWithdrawn = state.state === "withdrawn" && withdrawn !== undefined;
    return {
      state: state.state,
      since: isWithdrawn ? new Date(withdrawn.at) : at,
      // The one that was approved; later records name later revisions.
      revision: own[0]?.dataset.revision ?? record?.dataset.revision ?? null,
      identifier: state.wasPublished ? (record?.identifier ?? null) : null,
      reviewed_sha512: record?.digests.reviewed ?? null,
      published_at: state.wasPublished ? at : null,
      withdrawn_at: isWithdrawn ? new Date(withdrawn.at) : null,
      withdrawn_reason: isWithdrawn ? withdrawn.reason : null,
    };
  }
  const isAsRecorded = reviewed !== undefined && reviewed.state === state.state;
  const common = { identifier: null, published_at: null, withdrawn_at: null, withdrawn_reason: null };
  if (!isAsRecorded) {
    const revision = state.state === "private" ? null : (reviewed?.revision ?? null);
    return {
      ...common,
      ...TAKEN_BACK,
      state: state.state,
      revision,
      since: state.isAskedAgain ? now : at,
      reviewed_sha512: null,
    };
  }
  const { withdrawn } = reviewed;
  return {
    ...common,
    ...{ state: state.state, since: new Date(reviewed.since), revision: reviewed.revision },
    reviewed_sha512: reviewed.reviewed,
    ...(withdrawn !== null && { withdrawn_at: new Date(withdrawn.at), withdrawn_reason: withdrawn.reason }),
  };
}

/** Adds to the history, and to the events of a submission, that a version was published, unless they say so. */
async function restorePublished(trx: Trx, row: PublicationRow, submission: string | undefined): Promise<void> {
  const { dataset_id, version, published_at: at, identifier } = row;
  if (at === null || identifier === null) return;
  const revision = row.revision ?? 1;
  if (!(await hasEntry(trx, dataset_id, version, { action: "published" }))) {
    await addEntry(trx, {
      ...{ dataset_id, version, actor: SERVICE, action: "published", state: row.state, at },
      ...{ revision, data: { identifier } },
    });
  }
  if (submission === undefined) return;
  await logEvent(trx, submission, published({ dataset: dataset_id, version, revision, identifier }), at);
}

/** Stores the DOIs that a publication record names. @param concepts receives the DOI of all versions */
async function restoreRegistered(
  trx: Trx,
  record: PublicationRecord,
  { wasPublished }: RestoredState,
  concepts: Map<string, Parameters<typeof restoreDoi>[1]>,
): Promise<void> {
  const { identifier, conceptDoi, dataset } = record;
  const of = { dataset_id: dataset.id, created_at: timeOf(record) };
  if (identifier.startsWith(DOI_URL)) {
    const doi = identifier.slice(DOI_URL.length);
    await restoreDoi(trx, { ...of, doi, version: dataset.version, state: wasPublished ? "findable" : "hidden" });
  }
  if (conceptDoi === undefined) return;
  const doi = conceptDoi.slice(DOI_URL.length);
  const isFindable = wasPublished || concepts.get(doi)?.state === "findable";
  concepts.set(doi, { ...of, doi, version: CONCEPT, state: isFindable ? "findable" : "hidden" });
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
