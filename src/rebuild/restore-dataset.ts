import type { ArchivedPackage, ArchivedRevision, ArchivedTombstone } from "../archive/archived-package.ts";
import type { ArchivedRecord } from "../archive/archived-records.ts";
import type { LoggedEvent } from "../archive/receipts/logs.ts";
import type { Receipt } from "../archive/receipts/receipt.ts";
import type { Queries } from "../db/database.ts";
import { insertRevision } from "../db/datasets/revisions.ts";
import { restoreReservedDoi } from "../db/publication/dois.ts";
import {
  type Completed,
  disableIdleTimeout,
  insertCompleted,
  insertDataset,
  insertEvents,
} from "../db/rebuild-rows.ts";
import { describeAnew } from "../db/submissions/documents.ts";
import { logEvent } from "../db/submissions/events.ts";
import type { Trx } from "../db/submissions/submissions.ts";
import { completed, metadataChanged, publishing, removed, withdrawn } from "../domain/archive-events.ts";
import type { NormalizedMetadata } from "../domain/metadata/normalized.ts";
import type { Remark } from "../domain/problems.ts";
import { restoreListing } from "./listing.ts";
import { restorePublications } from "./restore-publications.ts";

/** What the archive has of a dataset, each in the order in which it was archived. */
interface ArchivedDataset {
  versions: readonly [ArchivedPackage, ...ArchivedPackage[]];
  revisions: readonly ArchivedRevision[];
  records: readonly ArchivedRecord[];
}

/**
 * Restores a dataset with all its versions and metadata revisions in the database, in one transaction.
 * @throws ArchiveCorrupt if a version is found to be invalid while it is read
 */
export async function restoreDataset(
  db: Queries,
  { versions, revisions, records }: ArchivedDataset,
  signal: AbortSignal,
  whenWritten: (objects: number) => void,
): Promise<void> {
  const [first] = versions;
  const newest = versions.at(-1) ?? first;
  await db.transaction().execute(async (trx) => {
    await disableIdleTimeout(trx);
    for (const found of versions) await takeInVersion(trx, found, signal, whenWritten);
    const { owner, publishedAt } = first.submission;
    const head = [newest, ...revisions].reduce((a, b) => (b.ocflVersion > a.ocflVersion ? b : a));
    await insertDataset(
      trx,
      { ...datasetOf(head, owner, new Date(publishedAt)), ...PRESENT },
      versions.map(({ receipt, submission }) => versionOf(receipt, new Date(submission.publishedAt))),
    );
    for (const found of revisions) await takeInRevision(trx, found);
    const submissions = versions.map(({ receipt, submission }) => [receipt.dataset.version, submission.id] as const);
    await restorePublications(trx, records, new Map(submissions));
    signal.throwIfAborted();
  });
}

async function takeInVersion(
  trx: Trx,
  found: ArchivedPackage,
  signal: AbortSignal,
  whenWritten: (objects: number) => void,
): Promise<void> {
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
  await insertRevision(trx, row, documents);
  await describeAnew(trx, receipt.submission.id, documents);
  await logEvent(trx, receipt.submission.id, metadataChanged({ ...revision, by: changedBy }), at);
}

/**
 * Restores a withdrawn dataset. Its submissions are restored from the receipts, because the request, the log and the
 * names of files were removed with the content.
 *
 * @param isRemoved false if its object is still in the archive; the service then completes the withdrawal
 */
export async function restoreTombstone(
  db: Queries,
  { tombstone, receipts, records }: ArchivedTombstone,
  isRemoved: boolean,
): Promise<void> {
  const { dataset, versions } = tombstone;
  const { at, by, reason } = tombstone.withdrawn;
  const withdrawnAt = new Date(at);
  // Without an owner: only curators and admins have access.
  const owner = dataset.owner ?? "";
  await db.transaction().execute(async (trx) => {
    await disableIdleTimeout(trx);
    for (const [index, { receipt, jws }] of receipts.entries()) {
      const version = versions[index];
      const publishedAt = new Date(version?.publishedAt ?? dataset.createdAt);
      await insertCompleted(trx, {
        ...fromReceipt(receipt, jws, publishedAt),
        owner,
        created_at: new Date(version?.acceptedAt ?? receipt.firstReadAt),
        documents: {
          sent: { title: receipt.title },
          metadata: { title: receipt.title, authors: [], subjects: [] },
          warnings: [],
        },
        endpoint: receipt.source.endpoint,
        region: receipt.source.region,
        bucket: receipt.source.bucket,
        selection: receipt.source.selection,
        addressing: UNKNOWN_ADDRESSING,
        anonymous: false,
        drift: receipt.drift,
        drift_total: receipt.driftTotal,
      });
      await logPublication(trx, receipt, publishedAt);
      await logEvent(
        trx,
        receipt.submission.id,
        withdrawn(dataset.id, version?.version ?? index + 1, by, reason),
        withdrawnAt,
      );
      if (isRemoved) await logEvent(trx, receipt.submission.id, removed(), withdrawnAt);
    }
    await insertDataset(
      trx,
      {
        id: dataset.id,
        owner,
        title: dataset.title,
        latest_version: Math.max(...versions.map(({ version }) => version)),
        latest_ocfl_version: Math.max(...versions.map(({ version, ocflVersion = version }) => ocflVersion)),
        created_at: new Date(dataset.createdAt),
        withdrawn_at: withdrawnAt,
        withdrawn_by: by,
        withdrawn_reason: reason,
        // The time of the removal is not recorded; it cannot be earlier than this.
        removed_at: isRemoved ? withdrawnAt : null,
      },
      versions.map(({ version, ocflVersion = version, submission, publishedAt, objects, bytes }) => ({
        dataset_id: dataset.id,
        version,
        ocfl_version: ocflVersion,
        submission_id: submission,
        published_at: new Date(publishedAt),
        objects,
        bytes,
      })),
    );
    const ended = records.map(({ jws, record }) => ({
      jws,
      record: { ...record, state: "withdrawn" as const, withdrawn: record.withdrawn ?? { at, reason } },
    }));
    await restorePublications(trx, ended, new Map(versions.map(({ version, submission }) => [version, submission])));
  });
}

/** The addressing is needed only to read a bucket, which never happens again for a completed submission. */
const UNKNOWN_ADDRESSING = "path";
const PRESENT = { withdrawn_at: null, withdrawn_by: null, withdrawn_reason: null, removed_at: null };

function fromReceipt(receipt: Receipt, jws: string, publishedAt: Date) {
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
    verdict: { sourceMayBeDeleted: receipt.sourceMayBeDeleted, statement: receipt.statement },
  } satisfies Partial<Completed>;
}

async function logPublication(trx: Trx, receipt: Receipt, at: Date): Promise<void> {
  const { submission, dataset, counts, bytes } = receipt;
  await logEvent(trx, submission.id, publishing(), at);
  const held = { objects: counts.stored, bytes };
  await logEvent(trx, submission.id, completed({ dataset: dataset.id, version: dataset.version }, held, receipt), at);
}

/** @param head the newest version of the OCFL object */
function datasetOf({ receipt, ocflVersion }: ArchivedPackage | ArchivedRevision, owner: string, createdAt: Date) {
  const { dataset, title } = receipt;
  return {
    id: dataset.id,
    owner,
    title,
    latest_version: dataset.version,
    latest_ocfl_version: ocflVersion,
    latest_revision: dataset.revision ?? 1,
    created_at: createdAt,
  };
}

/** The version of the OCFL object for whose inventory a receipt was signed. */
function ocflVersionOf({ dataset, digests }: Receipt): number {
  return Number(/^v(\d+)\//.exec(digests.inventory.path)?.[1] ?? dataset.version);
}

function versionOf(receipt: Receipt, publishedAt: Date) {
  const { dataset, submission, counts, bytes } = receipt;
  return {
    dataset_id: dataset.id,
    version: dataset.version,
    ocfl_version: ocflVersionOf(receipt),
    submission_id: submission.id,
    published_at: publishedAt,
    objects: counts.stored,
    bytes,
  };
}
