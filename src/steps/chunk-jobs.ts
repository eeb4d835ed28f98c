import { openChunks } from "../db/chunks/chunks.ts";
import type { Queries } from "../db/database.ts";
import type { Trx } from "../db/submissions/submissions.ts";
import { fairShareGroup, QUEUES } from "../domain/submission/queues.ts";
import type { AttemptRef, StepContext } from "./context.ts";

/**
 * Maximum number of a submission's chunks that have a job at a time: its first open chunks. Other submissions then wait
 * for a few chunks of a large submission instead of all of them, and many workers still find work.
 */
const WINDOW = { alone: 16, shared: 32 };

function windowOf({ jobs }: StepContext): number {
  return jobs.isShared ? WINDOW.shared : WINDOW.alone;
}

/** The attempt whose chunks are queued, and what determines the fair-share group in which they run. */
type ChunkOwner = AttemptRef & Parameters<typeof fairShareGroup>[0];

/** Queues the jobs of the first open chunks. Jobs that are queued or running already are not queued again. */
export async function queueWindow(context: StepContext, of: ChunkOwner): Promise<void> {
  await queueChunks(context, of, await openChunks(context.db, of.id, of.attempt, windowOf(context)));
  context.jobs.wake(QUEUES.transfer);
}

/** How many more chunks may have a job, before new ones are recorded. The caller holds the submission's lock. */
export async function freeInWindow(context: StepContext, { id, attempt }: ChunkOwner, trx: Trx): Promise<number> {
  const window = windowOf(context);
  return window - (await openChunks(trx, id, attempt, window)).length;
}

/** Queues the next chunk after one is finished. The caller holds the submission's lock, and wakes the queue after the commit. */
export async function queueNext(context: StepContext, of: ChunkOwner, trx: Trx): Promise<void> {
  const window = windowOf(context);
  const open = await openChunks(trx, of.id, of.attempt, window);
  await queueChunks(context, of, open.slice(window - 1), trx);
}

export async function queueChunks(
  context: StepContext,
  of: ChunkOwner,
  chunks: readonly number[],
  db?: Queries,
): Promise<void> {
  const { id, attempt } = of;
  const group = fairShareGroup(of);
  await context.jobs.enqueueAll(
    QUEUES.transfer,
    chunks.map((chunk) => ({ key: `${id}/${attempt}/${chunk}`, data: { id, attempt, chunk }, group })),
    db,
  );
}
