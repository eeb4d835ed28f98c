import type { Queries } from "../db/database.ts";
import {
  type DatasetRow,
  findDataset,
  isBusy,
  lockDataset,
  lockPresentDataset,
  requirePresent,
  requireSubmissionOfVersion,
} from "../db/datasets/datasets.ts";
import type { SubmissionRow, Trx } from "../db/submissions/submissions.ts";
import { Problem } from "../domain/problems.ts";
import { uuidOf } from "../domain/uuid.ts";
import type { IntakeContext } from "./context.ts";
import { untilServiceRevisionEnds } from "./revision-end.ts";

/** The dataset and version that a submission will become, and the version of its OCFL object. */
export interface TargetVersion {
  dataset: string;
  version: number;
  ocflVersion: number;
}

/**
 * Returns the version that a submission to a dataset would become. A dataset of another owner is treated as not existing. Waits a few
 * seconds for a revision that the service writes after publication, because its owner does not know of it.
 * @param id also as `urn:uuid:…`
 * @throws Problem `not_found`, `dataset_withdrawn`, `dataset_busy`
 */
export async function nextVersion(context: IntakeContext, owner: string, id: string): Promise<TargetVersion> {
  const { db } = context;
  const dataset = ownDataset(owner, await findDataset(db, uuidOf(id)));
  await untilServiceRevisionEnds(context, dataset.id);
  return targetOf(db, owner, await findDataset(db, dataset.id));
}

/** The same, and reserves the version until the end of the transaction. */
export async function lockNextVersion(trx: Trx, owner: string, id: string): Promise<TargetVersion> {
  return targetOf(trx, owner, await lockDataset(trx, uuidOf(id)));
}

/**
 * The submission that became the latest version of a dataset, for a caller who may submit another version.
 * @param id also as `urn:uuid:…`
 * @throws Problem `not_found`, `dataset_withdrawn`
 */
export async function previousVersion(db: Queries, owner: string, id: string): Promise<SubmissionRow> {
  const dataset = ownDataset(owner, await findDataset(db, uuidOf(id)));
  return requireSubmissionOfVersion(db, dataset.id, dataset.latest_version);
}

/**
 * Lets a submission start again only if its version is still the next one.
 * @returns the version of the OCFL object that it will become: metadata revisions may have been added
 * @throws Problem `dataset_withdrawn`, `dataset_busy`, `dataset_moved_on`
 */
export async function requireStillNext(trx: Trx, row: SubmissionRow): Promise<number | null> {
  const { dataset_id: id, dataset_version: version } = row;
  if (id === null || version === null || version === 1) return row.ocfl_version;
  const dataset = await lockPresentDataset(trx, id);
  if (await isBusy(trx, id, row.id)) throw new Problem("dataset_busy");
  if (dataset.latest_version !== version - 1) throw new Problem("dataset_moved_on");
  return dataset.latest_ocfl_version + 1;
}

async function targetOf(db: Queries, owner: string, found: DatasetRow | undefined): Promise<TargetVersion> {
  const dataset = ownDataset(owner, found);
  if (await isBusy(db, dataset.id)) throw new Problem("dataset_busy");
  return { dataset: dataset.id, version: dataset.latest_version + 1, ocflVersion: dataset.latest_ocfl_version + 1 };
}

function ownDataset(owner: string, dataset: DatasetRow | undefined): DatasetRow {
  if (dataset === undefined || dataset.owner !== owner) {
    throw new Problem("not_found", "None of your datasets has this id", {
      errors: [{ pointer: "/dataset/id", code: "not_found", detail: "None of your datasets has this id." }],
    });
  }
  requirePresent(dataset);
  return dataset;
}
