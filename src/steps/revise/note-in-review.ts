import { findDataset } from "../../db/datasets/datasets.ts";
import type { RevisionRow } from "../../db/datasets/revisions.ts";
import { addEntry } from "../../db/publication/history.ts";
import { findPublication } from "../../db/publication/publications.ts";
import type { Trx } from "../../db/submissions/submissions.ts";
import type { ReviewedChange } from "../../domain/submission/archive-events.ts";
import { EDIT, isUnderReview, SERVICE } from "../../publication/rules/states.ts";

/**
 * Adds a change of metadata to the history of the publication while the version is being reviewed. The caller holds the lock
 * of the dataset.
 * @returns what the event states for the other party; undefined without a review
 */
export async function noteInReview(trx: Trx, row: RevisionRow): Promise<ReviewedChange | undefined> {
  const { dataset_id, version, revision, changed_by: actor, note } = row;
  const publication = actor === SERVICE ? undefined : await findPublication(trx, dataset_id, version);
  if (publication === undefined || !isUnderReview(publication.state)) return undefined;
  const { state } = publication;
  await addEntry(trx, { dataset_id, version, actor, action: EDIT, state, comment: note, revision });
  const isOwner = (await findDataset(trx, dataset_id))?.owner === actor;
  return { dataset: dataset_id, state, party: isOwner ? "owner" : "curator" };
}
