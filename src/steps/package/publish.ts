import { receiptOf } from "../../archive/receipts/signing.ts";
import { addEvent } from "../../db/events.ts";
import { lockSubmission, move, stillActive, type Trx } from "../../db/submissions.ts";
import { Problem } from "../../domain/problems.ts";
import { completed, publishing } from "../../domain/publication.ts";
import { type StepContext, versionOf, type Work } from "../context.ts";

/**
 * Takes the packaging up. The number given back is this worker's alone: one that was frozen and comes back later has
 * an older one and can no longer publish.
 */
export async function takeUp(context: StepContext, work: Work): Promise<number | undefined> {
  const taken = await context.db
    .updateTable("submission")
    .set((eb) => ({ fence: eb("fence", "+", 1) }))
    .where("id", "=", work.id)
    .where("attempt", "=", work.attempt)
    .where("status", "=", "packaging")
    .where("published_at", "is", null)
    .returning("fence")
    .executeTakeFirst();
  return taken?.fence;
}

/**
 * What goes wrong for somebody who no longer has the packaging is nobody's trouble: it may have been published meanwhile.
 * @throws Problem `wrong_state` when somebody else has it, or publication is committed
 */
export async function requireOwn({ db }: StepContext, { id, attempt }: Work, fence: number): Promise<void> {
  const row = await stillActive(db, id, attempt);
  if (row?.fence !== fence || row.published_at !== null) throw new Problem("wrong_state");
}

/** What was built: the receipt, and the time that the package names as that of its publication. */
export interface Built {
  receipt: string;
  publishedAt: Date;
}

/**
 * Commits publication. From here on there is no way back: nothing can be cancelled, the package will be visible, and
 * nothing is read from the bucket any more, so the credentials are erased.
 */
export async function commit(context: StepContext, work: Work, fence: number, built: Built): Promise<boolean> {
  const { receipt, publishedAt } = built;
  return context.db.transaction().execute(async (trx) => {
    const row = await lockSubmission(trx, work.id);
    if (row?.status !== "packaging" || row.attempt !== work.attempt || row.fence !== fence) return false;
    if (row.published_at !== null || row.dataset_id === null) return false;
    const version = versionOf(row);
    const { sourceMayBeDeleted, statement } = receiptOf(receipt);
    await trx
      .updateTable("submission")
      .set({
        published_at: publishedAt,
        receipt,
        verdict: JSON.stringify({ sourceMayBeDeleted, statement }),
        credentials: null,
        dataset_version: version,
        updated_at: publishedAt,
      })
      .where("id", "=", work.id)
      .execute();
    const dataset = { id: row.dataset_id, owner: row.owner, title: row.title, created_at: publishedAt };
    if (version === 1)
      await trx
        .insertInto("dataset")
        .values({ ...dataset, latest_version: 1 })
        .execute();
    else await addVersion(trx, dataset, version);
    await trx
      .insertInto("dataset_version")
      .values({
        dataset_id: row.dataset_id,
        version,
        submission_id: row.id,
        published_at: publishedAt,
        objects: row.objects_stored,
        bytes: row.bytes_stored,
      })
      .execute();
    await addEvent(trx, work.id, publishing(), publishedAt);
    return true;
  });
}

/** @throws Problem `dataset_moved_on` when it is not the next version of a dataset that is there */
async function addVersion(trx: Trx, { id, title }: { id: string; title: string }, version: number): Promise<void> {
  const added = await trx
    .updateTable("dataset")
    .set({ latest_version: version, title })
    .where("id", "=", id)
    .where("latest_version", "=", version - 1)
    .where("withdrawn_at", "is", null)
    .executeTakeFirst();
  if (added.numUpdatedRows !== 1n) throw new Problem("dataset_moved_on");
}

/**
 * Makes the committed package visible and ends the submission; its credentials are erased with it. It counts as finished
 * when publication was committed, or when it went on after a wait since: the package names that time, so that a
 * database which is made anew from the archive says the same.
 */
export async function finish(context: StepContext, work: Work): Promise<void> {
  const { db, store } = context;
  const row = await db.selectFrom("submission").selectAll().where("id", "=", work.id).executeTakeFirstOrThrow();
  if (row.status !== "packaging" || row.published_at === null || row.dataset_id === null) return;
  const { id: submission, dataset_id: dataset, fence } = row;
  await store.publish({ submission, dataset, version: versionOf(row), fence, receipt: row.receipt ?? "" });
  await db.transaction().execute(async (trx) => {
    const now = await lockSubmission(trx, work.id);
    if (now?.status !== "packaging" || now.receipt === null) return;
    await move(
      trx,
      now,
      "completed",
      completed(
        { dataset: now.dataset_id, version: now.dataset_version },
        { objects: now.objects_stored, bytes: now.bytes_stored },
        receiptOf(now.receipt),
      ),
      { credentials: null, finished_at: now.updated_at, staged: false },
      now.updated_at,
    );
  });
}
