import { openChunks } from "../db/chunks/chunks.ts";
import type { Queries } from "../db/database.ts";
import type { Trx } from "../db/submissions/submissions.ts";
import { fairShareGroup, QUEUES } from "../domain/queues.ts";
import type { StepContext } from "./context.ts";

/**
 * Only so many of a submission's chunks have a job at a time: the first ones that are open. Whatever a submission's
 * size, others then wait for a few of its chunks and not for all of them, while many workers find something to do.
 */
const WINDOW = { alone: 16, shared: 32 };

function windowOf({ jobs }: StepContext): number {
  return jobs.isShared ? WINDOW.shared : WINDOW.alone;
}

/** The attempt whose chunks are queued, and whose share of the workers they use. */
interface ChunkOwner {
  id: string;
  attempt: number;
  owner: string;
  endpoint: string;
}

/** Queues the jobs of the first open chunks; does nothing where they wait or run already. */
export async function queueWindow(context: StepContext, of: ChunkOwner): Promise<void> {
  await queueChunks(context, of, await openChunks(context.db, of.id, of.attempt, windowOf(context)));
  context.jobs.wake(QUEUES.transfer);
}

/** How many more chunks may have a job, before new ones are recorded. Wants the submission's lock, as what follows. */
export async function freeInWindow(context: StepContext, { id, attempt }: ChunkOwner, trx: Trx): Promise<number> {
  const window = windowOf(context);
  return window - (await openChunks(trx, id, attempt, window)).length;
}

/** Queues the chunk that moves up into the window when one before it is finished. To be woken after the commit. */
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
