import { decideWithdrawal, isBusy, lockDataset, versionsOf } from "../db/datasets/datasets.ts";
import { dropRevision, revisionInProgress } from "../db/datasets/revisions.ts";
import { addEntry } from "../db/publication/history.ts";
import { changePublication, endOfPublication, publicationsOf } from "../db/publication/publications.ts";
import { addEvent } from "../db/submissions/events.ts";
import type { Trx } from "../db/submissions/submissions.ts";
import { Problem } from "../domain/problems.ts";
import { withdrawn } from "../domain/submission/archive-events.ts";
import { QUEUES } from "../domain/submission/queues.ts";
import type { IntakeContext } from "./context.ts";
import { afterServiceRevision } from "./revision-end.ts";

/**
 * Withdraws a dataset. When this resolves, the decision survives a power failure and the dataset can no longer be
 * downloaded. Its files are deleted soon after, also if the service crashes in between. Has no effect on a dataset that
 * is already withdrawn.
 *
 * @throws Problem `not_found`, or `dataset_busy` while a submission of the dataset is in progress or being published, or
 * a change of its metadata is being published
 */
export async function withdraw(context: IntakeContext, id: string, by: string, reason: string): Promise<void> {
  await afterServiceRevision(context, id, () => decide(context, id, by, reason));
  context.jobs.wake(QUEUES.withdraw);
}

async function decide(context: IntakeContext, id: string, by: string, reason: string): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    const dataset = await lockDataset(trx, id);
    if (dataset === undefined) throw new Problem("not_found", "The dataset does not exist");
    if (dataset.withdrawn_at !== null) return;
    // A change of metadata that was not archived yet must not prevent the withdrawal.
    const revision = await revisionInProgress(trx, id);
    if (revision !== undefined && (await dropRevision(trx, revision.id))) {
      await context.jobs.enqueue(QUEUES.discard, { key: revision.id, data: { submission: revision.id } }, trx);
    }
    if (await isBusy(trx, id)) throw new Problem("dataset_busy");
    await endPublications(trx, id, by, reason);
    await decideWithdrawal(trx, id, by, reason);
    for (const { submission_id, version } of await versionsOf(trx, id)) {
      await addEvent(trx, submission_id, withdrawn(id, version, by, reason));
    }
    await context.jobs.enqueue(QUEUES.withdraw, { key: id, data: { dataset: id } }, trx);
  });
}

/** Withdraws the versions that are published or being published, and ends the review of the others. */
async function endPublications(trx: Trx, dataset: string, by: string, reason: string): Promise<void> {
  const now = new Date();
  for (const row of await publicationsOf(trx, dataset)) {
    if (row.state === "private" || row.state === "withdrawn") continue;
    const isPublic = row.state === "published" || row.state === "registering";
    const state = isPublic ? "withdrawn" : "private";
    await changePublication(trx, row, {
      state,
      since: now,
      ...(isPublic && { withdrawn_at: now, withdrawn_reason: reason }),
      ...endOfPublication(row, now),
    });
    await addEntry(trx, {
      ...{ dataset_id: dataset, version: row.version, actor: by, action: "withdraw", state, comment: reason },
      revision: row.revision ?? 1,
    });
  }
}
