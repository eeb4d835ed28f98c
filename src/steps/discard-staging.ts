import { revisionsToDiscard } from "../db/datasets/revisions.ts";
import { releaseStaging, submissionsToDiscard } from "../db/submissions/staging.ts";
import { findSubmission } from "../db/submissions/submissions.ts";
import { areaOf } from "../domain/source-access/upload-place.ts";
import { QUEUES } from "../domain/submission/queues.ts";
import { listingName } from "../source/upload/area-listing.ts";
import type { StepContext } from "./context.ts";

/**
 * Removes the staged files of a submission or metadata revision that has ended for good, and its list of the files of an upload. For a
 * completed submission, these are files that publication left. A million objects take minutes. May be run at any time, also again
 * after a crash.
 */
export async function discardStaged(context: StepContext, id: string): Promise<void> {
  const [revision] = await revisionsToDiscard(context.db, [id]);
  if (revision !== undefined) {
    if (revision.published_at === null) await context.store.discard(id);
    else await context.store.forget(id);
    return;
  }
  const [over] = await submissionsToDiscard(context.db, [id]);
  // For a completed submission only the staging area is removed, in whatever state the archive is.
  if (over?.status === "completed") await context.store.forget(id);
  else if (over !== undefined) await context.store.discard(id);
  const area = over === undefined ? undefined : areaOf(over);
  if (area !== undefined) await context.uploads?.remove(area, [listingName(id)]);
}

/** Removes what a worker staged after its submission was cancelled: the removal that the cancellation queued may have run before. */
export async function discardLate(context: StepContext, submission: string): Promise<void> {
  const row = await findSubmission(context.db, submission);
  if (row?.status === "cancelled") await context.store.discard(submission);
}

/**
 * Queues the removal of staged files of submissions that have ended, and of failed submissions after their retention time.
 * Credentials that a failed submission received for a retry are erased with them. Staging areas of submissions that this
 * database does not know are kept: they may belong to another installation.
 */
export async function queueDiscards(context: StepContext, retentionMs: number): Promise<void> {
  await releaseStaging(context.db, new Date(Date.now() - retentionMs));
  const staged = await context.store.staged();
  const over = [...(await submissionsToDiscard(context.db, staged)), ...(await revisionsToDiscard(context.db, staged))];
  await context.jobs.enqueueAll(
    QUEUES.discard,
    over.map(({ id }) => ({ key: id, data: { submission: id } })),
  );
  if (over.length > 0) context.jobs.wake(QUEUES.discard);
}
