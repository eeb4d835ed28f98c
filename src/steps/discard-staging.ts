import { releaseStaging, submissionsToDiscard } from "../db/submissions/staging.ts";
import { QUEUES } from "../domain/queues.ts";
import type { StepContext } from "./context.ts";

/**
 * Removes what is staged for a submission, when it is over for good; of a completed one that is what publication left.
 * Of a million objects that takes minutes. May be run again after any crash, and whenever.
 */
export async function discardStaged(context: StepContext, id: string): Promise<void> {
  const [over] = await submissionsToDiscard(context.db, [id]);
  // Of what is completed nothing but the staging goes, whatever the archive looks like.
  if (over?.status === "completed") await context.store.forget(id);
  else if (over !== undefined) await context.store.discard(id);
}

/**
 * Queues the removal of what is staged for submissions that are over, and for failed ones once their time is up; with it
 * go the credentials that a failed one may have been given for a retry. Folders of submissions that this database does
 * not know are left alone: they may be another's.
 */
export async function queueDiscards(context: StepContext, retentionMs: number): Promise<void> {
  await releaseStaging(context.db, new Date(Date.now() - retentionMs));
  const over = await submissionsToDiscard(context.db, await context.store.staged());
  await context.jobs.enqueueAll(
    QUEUES.discard,
    over.map(({ id }) => ({ key: id, data: { submission: id } })),
  );
  if (over.length > 0) context.jobs.wake(QUEUES.discard);
}
