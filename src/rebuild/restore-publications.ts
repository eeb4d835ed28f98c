import type { ArchivedRecord } from "../archive/archived-records.ts";
import type { PublicationRecord } from "../archive/receipts/publication-record.ts";
import { recordOf } from "../archive/receipts/signing.ts";
import type { Queries } from "../db/database.ts";
import { restoreDoi } from "../db/publication/dois.ts";
import { addEntry, RESTORED } from "../db/publication/history.ts";
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
import { recordsOf } from "../db/publication/records.ts";
import { restoreRecord } from "../db/rebuild-rows.ts";
import { logEvent } from "../db/submissions/events.ts";
import type { Trx } from "../db/submissions/submissions.ts";
import { ACCESS_KINDS } from "../publication/rules/access.ts";
import { type DatedPublication, openedOn } from "../publication/rules/dates.ts";
import { CONCEPT, DOI_URL } from "../publication/rules/doi.ts";
import { embargoNoticeKey } from "../publication/rules/embargo.ts";
import { published } from "../publication/rules/events.ts";
import { isMetadataFixed, SERVICE } from "../publication/rules/states.ts";

/**
 * Restores the publications of a dataset from their signed records: the newest record of a version states its current state.
 * Requests, comments and decisions before publication are not in the archive.
 *
 * @param submissions the submission of each version
 */
export async function restorePublications(
  trx: Trx,
  records: readonly ArchivedRecord[],
  submissions: ReadonlyMap<number, string>,
): Promise<void> {
  const concepts = new Map<string, Parameters<typeof restoreDoi>[1]>();
  for (const [version, own] of Map.groupBy(records, ({ record }) => record.dataset.version)) {
    const submission = submissions.get(version);
    const newest = own.at(-1)?.record;
    if (submission === undefined || newest === undefined) continue;
    await restorePublication(
      trx,
      own.map(({ record }) => record),
      submission,
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
      const key = { dataset_id: dataset.id, version, no };
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
export async function recordsThatDiffer(
  db: Queries,
  dataset: string,
  records: readonly ArchivedRecord[],
): Promise<ArchivedRecord[]> {
  const different: ArchivedRecord[] = [];
  for (const [version, own] of Map.groupBy(records, ({ record }) => record.dataset.version)) {
    const known = new Map((await recordsOf(db, dataset, version)).map(({ no, jws }) => [no, jws.trim()]));
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

async function restorePublication(trx: Trx, records: readonly PublicationRecord[], submission: string): Promise<void> {
  const newest = records.at(-1);
  if (newest === undefined) return;
  const own = inForce(records);
  const [first = newest] = own;
  const { dataset, identifier, state, digests, withdrawn } = newest;
  const { id, version } = dataset;
  // The one that was approved; later records name later revisions.
  const { revision } = first.dataset;
  const at = timeOf(newest);
  const known = await findPublication(trx, id, version);
  const access = await accessOf(trx, newest, known);
  const wasPublished = newest.publishedAt !== undefined;
  const isKnown = known?.state === "published" || known?.state === "withdrawn";
  // Only a DOI is public before the publication is complete.
  const hasDoi = identifier.startsWith(DOI_URL);
  const row = known ?? privatePublication(id, version, at);
  const changed = await changePublication(trx, row, {
    ...(state === "taken_back" ? { ...TAKEN_BACK, since: at } : { state, revision }),
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
    ...(state !== "withdrawn" && known?.state === "withdrawn" && stillWithdrawn(known)),
  });
  if (known !== undefined) await addRestored(trx, changed);
  if (!isKnown && wasPublished) {
    const entry = { state: state === "withdrawn" ? state : ("published" as const), comment: "", at };
    await addEntry(trx, {
      ...{ dataset_id: id, version, actor: SERVICE, action: "published", ...entry },
      ...{ place: null, answers: null, revision, data: { identifier } },
    });
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
 * The access that the newest record states. If the access was changed in the database after its own last record, the more
 * closed one: the person who changed it saw only the state in the database.
 */
async function accessOf(
  trx: Trx,
  { access, embargoDate }: PublicationRecord,
  known: PublicationRow | undefined,
): Promise<Pick<PublicationRow, "access" | "embargo_date">> {
  const stated = { access, embargo_date: embargoDate ?? null };
  if (known === undefined || (known.published_at === null && known.state !== "registering")) return stated;
  const own = (await recordsOf(trx, known.dataset_id, known.version)).at(-1);
  const isRecorded = own !== undefined && isSameAccess(recordOf(own.jws), known);
  if (isRecorded) return stated;
  const { access: kind, embargo_date } = known;
  return closedness(known) > closedness(stated) ? { access: kind, embargo_date } : stated;
}

function isSameAccess({ access, embargoDate }: PublicationRecord, known: PublicationRow): boolean {
  return access === known.access && (embargoDate ?? null) === known.embargo_date;
}

/** Orders accesses by how much they close: kinds in the order of `ACCESS_KINDS`, and embargoes by their end. */
function closedness({ access, embargo_date }: Pick<PublicationRow, "access" | "embargo_date">): string {
  return `${ACCESS_KINDS.indexOf(access)} ${embargo_date ?? ""}`;
}
