import { receiptOf } from "../../archive/receipts/signing.ts";
import { recordVersion } from "../../db/datasets/sealing.ts";
import { addEvent } from "../../db/submissions/events.ts";
import { changeStatus, lockSubmission, readSubmission, stillActive } from "../../db/submissions/submissions.ts";
import { Problem } from "../../domain/problems.ts";
import { completed, publishing } from "../../domain/submission/archive-events.ts";
import { announceChange } from "../archive-change.ts";
import { type AttemptRef, ocflVersionOf, type StepContext, versionOf } from "../context.ts";

/**
 * Requires that this worker still packages the attempt. Errors of a superseded worker are ignored: another worker may have
 * published the dataset in the meantime.
 * @throws Problem `wrong_state` if another worker packages the attempt, or publication is committed
 */
export async function requireClaim({ db }: StepContext, { id, attempt }: AttemptRef, fence: number): Promise<void> {
  const row = await stillActive(db, id, attempt);
  if (row?.fence !== fence || row.published_at !== null) throw new Problem("wrong_state");
}

/** The receipt of a built package, and the publication time that the package states. */
export interface BuiltPackage {
  receipt: string;
  publishedAt: Date;
}

/**
 * Commits publication. From then on the submission cannot be cancelled, the package will become visible, and the service
 * no longer reads the bucket. The credentials are therefore erased.
 */
export async function commitPackage(
  context: StepContext,
  work: AttemptRef,
  fence: number,
  built: BuiltPackage,
): Promise<boolean> {
  const { receipt, publishedAt } = built;
  return context.db.transaction().execute(async (trx) => {
    const row = await lockSubmission(trx, work.id);
    if (row?.status !== "packaging" || row.attempt !== work.attempt || row.fence !== fence) return false;
    if (row.published_at !== null || row.dataset_id === null) return false;
    const { sourceMayBeDeleted, statement } = receiptOf(receipt);
    const verdict = JSON.stringify({ sourceMayBeDeleted, statement });
    await recordVersion(trx, row, {
      dataset: row.dataset_id,
      version: versionOf(row),
      ocflVersion: ocflVersionOf(row),
      publishedAt,
      receipt,
      verdict,
    });
    await addEvent(trx, work.id, publishing(), publishedAt);
    return true;
  });
}

/**
 * Makes the committed package visible and ends the submission; its credentials are erased with it. The recorded end is the
 * time when publication was committed, or when the submission last resumed after that. The package states the same time,
 * so that a database rebuilt from the archive has equal values.
 */
export async function makeVisible(context: StepContext, work: AttemptRef): Promise<void> {
  const { db, store } = context;
  const row = await readSubmission(db, work.id);
  if (row.status !== "packaging" || row.published_at === null || row.dataset_id === null) return;
  const { id: submission, dataset_id: dataset, fence } = row;
  await announceChange(context);
  await store.publish({ submission, dataset, version: ocflVersionOf(row), fence, receipt: row.receipt ?? "" });
  await db.transaction().execute(async (trx) => {
    const now = await lockSubmission(trx, work.id);
    if (now?.status !== "packaging" || now.receipt === null) return;
    await changeStatus(
      trx,
      now,
      "completed",
      completed(
        { dataset: now.dataset_id, version: now.dataset_version },
        { objects: now.objects_stored, bytes: now.bytes_stored },
        receiptOf(now.receipt),
      ),
      { finished_at: now.updated_at, staged: false },
      now.updated_at,
    );
  });
}
