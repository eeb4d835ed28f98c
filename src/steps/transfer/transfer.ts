import { readClocks } from "../../archive/lease.ts";
import { readRevision } from "../../db/chunks/chunk-revision.ts";
import { readChunkText } from "../../db/chunks/chunk-text.ts";
import type { OutcomeBatch } from "../../db/chunks/outcome-batch.ts";
import { countRead } from "../../db/chunks/outcomes.ts";
import { lockSubmission, stillActive } from "../../db/submissions/submissions.ts";
import { Problem } from "../../domain/problems.ts";
import { type AttemptRef, type StepContext, stagingOf } from "../context.ts";
import { statedOf } from "../digests/stated-digests.ts";
import { sourceOf } from "../submission-source.ts";
import { AttemptWatch, storesFiles } from "./attempt-watch.ts";
import { mayBeOfObject } from "./may-be-of-object.ts";
import { TaskFailed } from "./messages.ts";
import { OutcomeRecorder } from "./outcome-recorder.ts";

/**
 * Transfers one chunk: a thread reads the objects that are not stored yet, and their outcomes are recorded in batches. A
 * recorded object is never read again; an object that was stored but not recorded before a crash is read again.
 *
 * @throws Problem of the source as a whole or of the archive; problems of single objects are recorded
 */
export async function transfer(
  context: StepContext,
  work: AttemptRef & { chunk: number },
  signal: AbortSignal,
  nearlyDone: () => void,
): Promise<void> {
  const { db } = context;
  const { id, attempt } = work;
  const confirmed = readClocks();
  const row = await stillActive(db, id, attempt);
  const chunk = await readRevision(db, id, attempt, work.chunk);
  if (!storesFiles(row) || chunk === undefined) return;
  if (chunk.listed === 0) return;
  const objects = readChunkText(chunk.objects, chunk.first_seq).filter(({ state }) => state === "listed");
  const { access } = sourceOf(context, row);
  const area = stagingOf(context, row);
  await area.requireUnpublished();
  const over = new AbortController();
  const end = () => over.abort(new Problem("wrong_state"));
  const bytes = objects.reduce((sum, object) => sum + object.bytes, 0);
  const hold = await context.store.hold(bytes, "The next objects need");
  const recorder = new OutcomeRecorder(context, work, chunk, { area, hold, objects, over: end });
  const watch = new AttemptWatch(context, work, end);
  const task = {
    submission: id,
    access,
    writerOptions: area.writerOptions(attempt),
    confirmed,
    md5Proven: row.md5_proven,
    chunkText: chunk.objects,
    firstSeq: chunk.first_seq,
    stated: await statedOf(context, row, objects),
  };
  try {
    const stop = AbortSignal.any([signal, over.signal]);
    const record = (outcomes: OutcomeBatch) => recorder.record(outcomes);
    // While the last objects of this chunk are read and recorded, the next chunk may start.
    await context.transfers.run(task, { record, watch, allBegun: nearlyDone }, stop);
  } catch (error) {
    if (over.signal.aborted || signal.aborted) return;
    await failedAt(context, work, error);
  } finally {
    watch.end();
    hold.release();
  }
}

/** Counts a failed read for its object, and throws the cause. */
async function failedAt(context: StepContext, work: AttemptRef, error: unknown): Promise<never> {
  if (!(error instanceof TaskFailed)) throw error;
  const { cause, seq } = error;
  if (seq !== undefined && mayBeOfObject(cause)) {
    await context.db.transaction().execute(async (trx) => {
      if (await lockSubmission(trx, work.id)) await countRead(trx, work.id, work.attempt, seq);
    });
  }
  throw cause;
}
