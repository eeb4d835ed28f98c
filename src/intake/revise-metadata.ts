import { isDeepStrictEqual } from "node:util";
import { isMetadataFixed } from "../../packages/rules/src/index.ts";
import { type DatasetRow, isBusy, lockPresentDataset, requireSubmissionOfVersion } from "../db/datasets/datasets.ts";
import {
  dropRevision,
  latestRevision,
  newestDocuments,
  type RevisionDocuments,
  recordRevision,
  revisionDocuments,
  revisionInProgress,
  revisionsOf,
} from "../db/datasets/revisions.ts";
import { findPublication } from "../db/publication/publications.ts";
import { checkQuota } from "../db/submissions/quota.ts";
import type { SubmissionRow, Trx } from "../db/submissions/submissions.ts";
import { several } from "../domain/numbers.ts";
import { noSpace } from "../domain/problems/no-space.ts";
import { Problem } from "../domain/problems.ts";
import { QUEUES } from "../domain/submission/queues.ts";
import { revisionBytes } from "../domain/submission/revision-size.ts";
import { SERVICE } from "../publication/rules/states.ts";
import type { IntakeContext } from "./context.ts";
import { invalid } from "./request.ts";
import { requireCurrent } from "./require-current.ts";
import { afterServiceRevision } from "./revision-end.ts";

/** A state of the metadata of a dataset: its version, and the number of its metadata revision. */
export interface MetadataState {
  version: number;
  revision: number;
}

/** A change of the metadata of the latest version. */
interface Change {
  dataset: string;
  by: string;
  note: string;
  documents: RevisionDocuments;
  /** The state that the caller has seen. */
  expected: (state: MetadataState) => boolean;
}

/**
 * Records a change of metadata, which a worker then archives as a metadata revision. Until it is archived, its author can
 * replace it, and all others are refused: a recorded change is never lost unnoticed. A revision that the service has recorded
 * itself is replaced by every change.
 *
 * @returns the id of the revision, also if the same change is being archived; undefined if these are the current metadata
 * @throws Problem `not_found`, `dataset_withdrawn`, `dataset_busy`, `metadata_conflict`, `approved_metadata`, `archive_newer`,
 * and those of `checkRevisionLimits`
 */
export async function reviseMetadata(context: IntakeContext, change: Change): Promise<string | undefined> {
  await requireCurrent(context, change.dataset);
  const id = await afterServiceRevision(context, change.dataset, () => recordChange(context, change));
  if (id !== undefined) {
    context.jobs.wake(QUEUES.revise);
    context.jobs.wake(QUEUES.discard);
  }
  return id;
}

async function recordChange(context: IntakeContext, change: Change): Promise<string | undefined> {
  return context.db.transaction().execute(async (trx) => {
    const dataset = await lockPresentDataset(trx, change.dataset);
    const state = { version: dataset.latest_version, revision: dataset.latest_revision };
    const current = await newestDocuments(trx, dataset.id, state.version);
    // A repeated request whose first response was lost finds its own change.
    if (isDeepStrictEqual(current.sent, change.documents.sent)) return undefined;
    if (!change.expected(state)) throw new Problem("metadata_conflict", await whyChanged(trx, dataset));
    const publication = await findPublication(trx, dataset.id, state.version);
    if (publication !== undefined && isMetadataFixed(publication.state)) throw new Problem("approved_metadata");
    if (publication?.state === "published" && change.documents.metadata.license === undefined) {
      const detail = "A published dataset must keep a licence. Enter a licence, or withdraw the dataset.";
      throw invalid([{ pointer: "/metadata/license", code: "required", detail }], []);
    }
    const begun = await revisionInProgress(trx, dataset.id);
    if (begun !== undefined) {
      const { sent } = await revisionDocuments(trx, begun.id);
      if (isDeepStrictEqual(sent, change.documents.sent)) return begun.id;
      // A revision of the service changes no metadata, and a later one states the same identifier.
      const isReplaceable = begun.changed_by === change.by || begun.changed_by === SERVICE;
      if (!isReplaceable) throw new Problem("dataset_busy");
      // Its publication is committed, so that it cannot be replaced any more.
      if (!(await dropRevision(trx, begun.id))) throw new Problem("dataset_busy");
      await context.jobs.enqueue(QUEUES.discard, { key: begun.id, data: { submission: begun.id } }, trx);
    }
    if (await isBusy(trx, dataset.id)) throw new Problem("dataset_busy");
    // The limit is for people: revisions of the service do not count.
    const archived = (await revisionsOf(trx, dataset.id)).filter(({ changed_by }) => changed_by !== SERVICE);
    await checkRevisionLimits(context, trx, {
      by: change.by,
      ocflVersion: dataset.latest_ocfl_version + 1,
      revisions: archived.length,
      submission: await requireSubmissionOfVersion(trx, dataset.id, state.version),
    });
    const revision = await recordRevision(trx, dataset, change, change.documents);
    await context.jobs.enqueue(QUEUES.revise, { key: revision, data: { revision } }, trx);
    return revision;
  });
}

/** Says that the newest revision is one of the service, so that the caller does not look for another person. */
async function whyChanged(trx: Trx, { id, latest_version }: DatasetRow): Promise<string | undefined> {
  const newest = await latestRevision(trx, id, latest_version);
  if (newest?.changed_by !== SERVICE) return undefined;
  return `The service has written the metadata again, without a change, as revision ${newest.revision}: ${newest.note}`;
}

/** A metadata revision that is about to be recorded. */
interface NewRevision {
  by: string;
  /** The version of the OCFL object that it would become. */
  ocflVersion: number;
  /** The number of metadata revisions that the dataset has, in all versions, without those of the service. */
  revisions: number;
  /** The submission that became the version. */
  submission: Pick<SubmissionRow, "objects_listed" | "objects_excluded">;
}

/**
 * Checks whether the dataset may have another metadata revision. Each is a version of the OCFL object, whose inventory
 * states all files of all versions. Therefore revisions of a large dataset need much space.
 *
 * @throws Problem `revision_limit`, `quota_exceeded`, `no_space`
 */
async function checkRevisionLimits(
  { mostRevisions, quota, store }: IntakeContext,
  trx: Trx,
  { by, ocflVersion, revisions, submission }: NewRevision,
): Promise<void> {
  if (revisions >= mostRevisions) {
    throw new Problem(
      "revision_limit",
      `The dataset has ${several(revisions, "metadata revision")}; the service allows ${mostRevisions}`,
    );
  }
  const bytes = revisionBytes(ocflVersion, submission);
  await checkQuota(trx, quota, by, { submissions: 0, objects: 0, bytes });
  const free = await store.freeBytes();
  if (bytes > free) throw noSpace("The change needs", bytes, { free, reserve: await store.reserveBytes() });
}
