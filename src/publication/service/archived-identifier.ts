import { type DatasetRow, isBusy, requireSubmissionOfVersion } from "../../db/datasets/datasets.ts";
import { latestRevision, newestDocuments, recordRevision, revisionInProgress } from "../../db/datasets/revisions.ts";
import { datedPublication, type PublicationRow } from "../../db/publication/publications.ts";
import type { SubmissionRow, Trx } from "../../db/submissions/submissions.ts";
import { QUEUES } from "../../domain/submission/queues.ts";
import { revisionBytes } from "../../domain/submission/revision-size.ts";
import type { StepContext } from "../../steps/context.ts";
import { publicationDates } from "../rules/dates.ts";
import { isDoi } from "../rules/doi.ts";
import { SERVICE } from "../rules/states.ts";

/**
 * Makes the archive name the identifier of a published version: records a metadata revision of the service, with the same
 * metadata, if the package states no DOI or another day of publication. Only for the newest version, because a metadata
 * revision is the newest state of the archived object. The caller holds the lock of the dataset.
 *
 * @returns false if it must be repeated later: the dataset is busy, or the disk is full
 */
export async function archiveIdentifier(
  { store, jobs }: StepContext,
  trx: Trx,
  dataset: DatasetRow,
  row: PublicationRow,
): Promise<boolean> {
  const { version, identifier, published_at: publishedAt } = row;
  const isNewest = version === dataset.latest_version && dataset.withdrawn_at === null;
  if (row.state !== "published" || identifier === null || publishedAt === null || !isNewest) return true;
  // Metadata cannot change while a version is approved, so that what was recorded later states the publication.
  const written = (await revisionInProgress(trx, dataset.id)) ?? (await latestRevision(trx, dataset.id, version));
  if (written?.version === version && written.created_at >= publishedAt) return true;
  const submission = await requireSubmissionOfVersion(trx, dataset.id, version);
  if (!isDoi(identifier) && isSameDay(row, submission)) return true;
  const isRoom = revisionBytes(dataset.latest_ocfl_version + 1, submission) <= (await store.freeBytes());
  if (!isRoom || (await isBusy(trx, dataset.id))) return false;
  // If the clock was set back, the revision is nevertheless later than the publication.
  const at = new Date(Math.max(Date.now(), publishedAt.getTime()));
  const about = { by: SERVICE, note: `Published under ${identifier}`, at };
  const revision = await recordRevision(trx, dataset, about, await newestDocuments(trx, dataset.id, version));
  await jobs.enqueue(QUEUES.revise, { key: revision, data: { revision } }, trx);
  return true;
}

/** Whether the version was archived on the day of its publication. */
function isSameDay(row: PublicationRow, { published_at }: SubmissionRow): boolean {
  return publicationDates(datedPublication(row), new Date()).issued === published_at?.toISOString().slice(0, 10);
}
