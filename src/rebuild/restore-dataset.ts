import type { ArchivedPackage, ArchivedRevision } from "../archive/archived-package.ts";
import type { ArchivedRecord, ArchivedReview } from "../archive/archived-records.ts";
import { ArchiveCorrupt } from "../archive/read-archived.ts";
import type { LoggedEvent } from "../archive/receipts/logs.ts";
import type { Receipt } from "../archive/receipts/receipt.ts";
import type { Queries } from "../db/database.ts";
import { type DatasetRow, lockDataset, versionsOf } from "../db/datasets/datasets.ts";
import { dropRevision, insertRevision, revisionInProgress } from "../db/datasets/revisions.ts";
import { renewPublications } from "../db/publication/publications.ts";
import { restoreReservedDoi } from "../db/publication/restored-dois.ts";
import {
  type Completed,
  disableIdleTimeout,
  insertCompleted,
  insertDataset,
  insertEvents,
  insertVersions,
  removeRevision,
  updateDatasetRow,
} from "../db/rebuild-rows.ts";
import { describeAnew } from "../db/submissions/documents.ts";
import { logEvent } from "../db/submissions/events.ts";
import type { Trx } from "../db/submissions/submissions.ts";
import type { NormalizedMetadata } from "../describe/metadata/normalized.ts";
import type { Remark } from "../domain/problems.ts";
import { completed, metadataChanged, publishing } from "../domain/submission/archive-events.ts";
import { newDigestState } from "../domain/submission/digest-state.ts";
import { SERVICE } from "../publication/rules/states.ts";
import { restoreListing } from "./listing.ts";
import { restorePublications, takeBackApproval } from "./restore-publications.ts";

/** What the archive has of a dataset and the database lacks, each in the order in which it was archived. */
export interface ArchivedDataset {
  versions: readonly ArchivedPackage[];
  revisions: readonly ArchivedRevision[];
  records: readonly ArchivedRecord[];
  reviews: readonly ArchivedReview[];
}

/** Reports how many objects were written, and ends the work. */
interface Progress {
  signal: AbortSignal;
  whenWritten: (objects: number) => void;
}

/**
 * Restores a dataset with all its versions and metadata revisions in the database, in one transaction.
 * @throws ArchiveCorrupt if a version is found to be invalid while it is read
 */
export async function restoreDataset(db: Queries, archived: ArchivedDataset, progress: Progress): Promise<void> {
  const { versions, revisions } = archived;
  const [first] = versions;
  if (first === undefined) throw new ArchiveCorrupt("The dataset has no versions");
  await db.transaction().execute(async (trx) => {
    await disableIdleTimeout(trx);
    for (const found of versions) await takeInVersion(trx, found, progress);
    const { owner, publishedAt } = first.submission;
    const { id } = first.receipt.dataset;
    await insertDataset(trx, { id, owner, created_at: new Date(publishedAt), ...headOf(archived), ...PRESENT });
    await insertVersions(trx, versions.map(versionOf));
    for (const found of revisions) await takeInRevision(trx, found);
    await restorePublications(trx, archived, submissionsOf(versions));
    progress.signal.throwIfAborted();
  });
}

/**
 * Adds to a dataset of the database what the archive has and the database lacks, in one transaction. Everything else of the
 * dataset stays, such as later comments and grants. A change of metadata that is not archived yet is given up if the archive has
 * another newer version.
 * @throws ArchiveCorrupt if a version is found to be invalid while it is read
 */
export async function updateDataset(
  db: Queries,
  { id }: DatasetRow,
  archived: ArchivedDataset,
  progress: Progress,
): Promise<void> {
  const { versions, revisions } = archived;
  await db.transaction().execute(async (trx) => {
    await disableIdleTimeout(trx);
    await lockDataset(trx, id);
    if (versions.length + revisions.length > 0) await giveUpRevision(trx, id);
    for (const found of versions) await takeInVersion(trx, found, progress);
    await insertVersions(trx, versions.map(versionOf));
    for (const found of revisions) {
      await takeInRevision(trx, found);
      // One of the service belongs to a publication, which its record restores.
      if (found.revision.changedBy !== SERVICE) await takeBackApproval(trx, id, found.revision.version);
    }
    if (versions.length + revisions.length > 0) await updateDatasetRow(trx, id, headOf(archived));
    const earlier = await versionsOf(trx, id);
    await restorePublications(trx, archived, new Map(earlier.map((one) => [one.version, one.submission_id])));
    // Relations between the versions, and the entries of the catalogue.
    await renewPublications(trx, id);
    progress.signal.throwIfAborted();
  });
}

/** The archive has this change of metadata or a newer state: it is taken from there, or replaced. */
export async function giveUpRevision(trx: Trx, dataset: string): Promise<void> {
  const begun = await revisionInProgress(trx, dataset);
  if (begun !== undefined && !(await dropRevision(trx, begun.id))) await removeRevision(trx, begun.id);
}

async function takeInVersion(trx: Trx, found: ArchivedPackage, { signal, whenWritten }: Progress): Promise<void> {
  const { receipt, jws, submission } = found;
  const publishedAt = new Date(submission.publishedAt);
  const { source } = submission;
  await insertCompleted(trx, {
    ...fromReceipt(receipt, jws, publishedAt),
    owner: submission.owner,
    created_at: new Date(submission.createdAt),
    documents: {
      sent: submission.sent,
      metadata: submission.metadata as NormalizedMetadata,
      warnings: submission.warnings as Remark[],
    },
    endpoint: source.endpoint,
    region: source.region,
    bucket: source.bucket,
    addressing: source.addressing ?? UNKNOWN_ADDRESSING,
    anonymous: source.anonymous ?? false,
    selection: source.selection,
    // The receipt may name fewer.
    drift: submission.drift ?? receipt.drift,
    drift_total: submission.driftTotal ?? receipt.driftTotal,
  });
  for await (const events of found.events()) {
    await insertEvents(
      trx,
      submission.id,
      events.map(({ at, ...event }) => ({ ...event, at: new Date(at) })),
    );
    for (const event of events) await restoreReservation(trx, receipt, event);
  }
  await logPublication(trx, receipt, publishedAt);
  await restoreListing(trx, found, (objects) => {
    signal.throwIfAborted();
    whenWritten(objects);
  });
}

/** The digest lists, as the submission showed them when it was completed. */
function digestsOf({ digestLists }: Receipt): { digests: string; objects_differing: number } | Record<never, never> {
  if (digestLists === undefined) return {};
  const { files, notSelected, additional, differing } = digestLists;
  const lists = digestLists.lists.map(({ name, origin, entries, sha512 }) => {
    return { name, origin, entries, ...(origin !== "request" && sha512 !== undefined && { sha512 }) };
  });
  const comparison = { files, notSelected, missing: { total: 0, keys: [] }, additional };
  // A dataset is archived only if all files that differ were excluded.
  const state = { ...newDigestState(lists, true), comparison, differingExcluded: differing };
  return { digests: JSON.stringify(state), objects_differing: differing };
}

/** The events name the DOI that was reserved with the submission: it may have been printed, so that it must not be lost. */
async function restoreReservation(trx: Trx, { dataset }: Receipt, { type, at, data }: LoggedEvent): Promise<void> {
  const doi = type === "doi_reserved" ? (data as { doi?: unknown } | null)?.doi : undefined;
  if (typeof doi !== "string") return;
  await restoreReservedDoi(trx, {
    doi,
    dataset_id: dataset.id,
    version: dataset.version ?? 1,
    created_at: new Date(at),
  });
}

async function takeInRevision(trx: Trx, { receipt, jws, revision, ocflVersion }: ArchivedRevision): Promise<void> {
  const { id, version, changedBy, note, sent, warnings } = revision;
  const at = new Date(revision.publishedAt);
  const metadata = revision.metadata as NormalizedMetadata;
  const row = {
    id,
    dataset_id: receipt.dataset.id,
    version,
    revision: revision.revision,
    ocfl_version: ocflVersion,
    changed_by: changedBy,
    note,
    created_at: new Date(revision.createdAt),
    published_at: at,
    finished_at: at,
    receipt: jws,
  };
  const documents = { sent, metadata, warnings: warnings as Remark[] };
  // A revision that was given up, or was not archived when the backup was taken.
  await removeRevision(trx, id);
  await insertRevision(trx, row, documents);
  await describeAnew(trx, receipt.submission.id, documents);
  await logEvent(trx, receipt.submission.id, metadataChanged({ ...revision, by: changedBy }), at);
}

/** The addressing is needed only to read a bucket, which never happens again for a completed submission. */
export const UNKNOWN_ADDRESSING = "path";
const PRESENT = { withdrawn_at: null, withdrawn_by: null, withdrawn_reason: null, removed_at: null };

/** The columns of a completed submission that its receipt states. */
export function fromReceipt(receipt: Receipt, jws: string, publishedAt: Date) {
  const { submission, dataset, counts, bytes } = receipt;
  return {
    id: submission.id,
    attempt: submission.attempt,
    title: receipt.title,
    dataset_id: dataset.id,
    dataset_version: dataset.version,
    ocfl_version: ocflVersionOf(receipt),
    published_at: publishedAt,
    objects_listed: counts.listed,
    objects_stored: counts.stored,
    objects_excluded: counts.excluded,
    bytes_listed: bytes,
    bytes_stored: bytes,
    first_read_at: receipt.firstReadAt,
    last_read_at: receipt.lastReadAt,
    receipt: jws,
    ...digestsOf(receipt),
    verdict: { sourceMayBeDeleted: receipt.sourceMayBeDeleted, statement: receipt.statement },
  } satisfies Partial<Completed>;
}

/** Logs that a version was committed, and then became visible. */
export async function logPublication(trx: Trx, receipt: Receipt, at: Date): Promise<void> {
  const { submission, dataset, counts, bytes } = receipt;
  await logEvent(trx, submission.id, publishing(), at);
  const held = { objects: counts.stored, bytes };
  await logEvent(trx, submission.id, completed({ dataset: dataset.id, version: dataset.version }, held, receipt), at);
}

/** What the row of a dataset states about its newest version. */
function headOf({ versions, revisions }: ArchivedDataset) {
  const { receipt, ocflVersion } = [...versions, ...revisions].reduce((a, b) =>
    b.ocflVersion > a.ocflVersion ? b : a,
  );
  return {
    title: receipt.title,
    latest_version: receipt.dataset.version,
    latest_ocfl_version: ocflVersion,
    latest_revision: receipt.dataset.revision ?? 1,
  };
}

function submissionsOf(versions: readonly ArchivedPackage[]): Map<number, string> {
  return new Map(versions.map(({ receipt, submission }) => [receipt.dataset.version, submission.id]));
}

/** The version of the OCFL object for whose inventory a receipt was signed. */
function ocflVersionOf({ dataset, digests }: Receipt): number {
  return Number(/^v(\d+)\//.exec(digests.inventory.path)?.[1] ?? dataset.version);
}

function versionOf({ receipt, submission: { publishedAt } }: ArchivedPackage) {
  const { dataset, submission, counts, bytes } = receipt;
  return {
    dataset_id: dataset.id,
    version: dataset.version,
    ocfl_version: ocflVersionOf(receipt),
    submission_id: submission.id,
    published_at: new Date(publishedAt),
    objects: counts.stored,
    bytes,
  };
}
