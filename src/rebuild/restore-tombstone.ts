import type { ArchivedTombstone } from "../archive/archived-package.ts";
import type { Receipt } from "../archive/receipts/receipt.ts";
import type { Tombstone } from "../archive/receipts/tombstone.ts";
import type { Queries } from "../db/database.ts";
import { lockDataset, versionsOf } from "../db/datasets/datasets.ts";
import { removeAccess } from "../db/publication/access-grants.ts";
import {
  completedVersions,
  disableIdleTimeout,
  insertCompleted,
  insertDataset,
  insertVersions,
  leaveRegistered,
  updateDatasetRow,
} from "../db/rebuild-rows.ts";
import { logEvent } from "../db/submissions/events.ts";
import type { Trx } from "../db/submissions/submissions.ts";
import { removed, withdrawn } from "../domain/submission/archive-events.ts";
import { fromReceipt, giveUpRevision, logPublication, UNKNOWN_ADDRESSING } from "./restore-dataset.ts";
import { endReviews, restorePublications } from "./restore-publications.ts";

/**
 * Restores a withdrawn dataset, or the withdrawal of a dataset that the database has. Submissions that it lacks are restored
 * from the receipts, because the request, the log and the names of files were removed with the content.
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
  await db.transaction().execute(async (trx) => {
    await disableIdleTimeout(trx);
    const row = await lockDataset(trx, dataset.id);
    const known = new Set((await versionsOf(trx, dataset.id)).map(({ version }) => version));
    const completed = new Set(await completedVersions(trx, dataset.id));
    for (const [index, found] of receipts.entries()) {
      const version = versions[index]?.version ?? index + 1;
      const { id } = found.receipt.submission;
      if (!completed.has(version)) await takeInReceipt(trx, tombstone, found, versions[index]);
      await logEvent(trx, id, withdrawn(dataset.id, version, by, reason), withdrawnAt);
      if (isRemoved) await logEvent(trx, id, removed(), withdrawnAt);
    }
    const newest = {
      title: dataset.title,
      latest_version: Math.max(...versions.map(({ version }) => version)),
      latest_ocfl_version: Math.max(...versions.map(({ version, ocflVersion = version }) => ocflVersion)),
      withdrawn_at: withdrawnAt,
      withdrawn_by: by,
      withdrawn_reason: reason,
      // The time of the removal is not recorded; it cannot be earlier than this.
      removed_at: isRemoved ? withdrawnAt : null,
    };
    if (row === undefined) {
      const created = { id: dataset.id, owner: ownerOf(tombstone), created_at: new Date(dataset.createdAt) };
      await insertDataset(trx, { ...created, ...newest });
    } else {
      await giveUpRevision(trx, dataset.id);
      await removeAccess(trx, dataset.id);
      await updateDatasetRow(trx, dataset.id, newest);
    }
    const missing = versions.filter(({ version }) => !known.has(version));
    await insertVersions(
      trx,
      missing.map(({ version, ocflVersion = version, submission, publishedAt, objects, bytes }) => ({
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
    const submissions = new Map(versions.map(({ version, submission }) => [version, submission]));
    await restorePublications(trx, { records: ended, reviews: [] }, submissions);
    // Most metadata of a removed dataset are lost: DataCite has better ones.
    if (row === undefined && isRemoved) await leaveRegistered(trx, dataset.id);
    await endReviews(trx, dataset.id, withdrawnAt);
  });
}

type TombstoneVersion = Tombstone["versions"][number];

async function takeInReceipt(
  trx: Trx,
  tombstone: Tombstone,
  { receipt, jws }: { receipt: Receipt; jws: string },
  version: TombstoneVersion | undefined,
): Promise<void> {
  const { title, source, drift, driftTotal } = receipt;
  const publishedAt = new Date(version?.publishedAt ?? tombstone.dataset.createdAt);
  await insertCompleted(trx, {
    ...fromReceipt(receipt, jws, publishedAt),
    owner: ownerOf(tombstone),
    created_at: new Date(version?.acceptedAt ?? receipt.firstReadAt),
    documents: {
      sent: { title },
      metadata: { title, authors: tombstone.dataset.authors ?? [], subjects: [] },
      warnings: [],
    },
    endpoint: source.endpoint,
    region: source.region,
    bucket: source.bucket,
    selection: source.selection,
    addressing: UNKNOWN_ADDRESSING,
    anonymous: false,
    drift,
    drift_total: driftTotal,
  });
  await logPublication(trx, receipt, publishedAt);
}

/** Without an owner, only curators and admins have access. */
function ownerOf({ dataset }: Tombstone): string {
  return dataset.owner ?? "";
}
