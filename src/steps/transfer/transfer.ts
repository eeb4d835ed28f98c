import { readChunk } from "../../db/chunks.ts";
import type { ObjectRecord } from "../../db/objects.ts";
import { countRead, type Outcome } from "../../db/outcomes.ts";
import { lockSubmission, stillActive } from "../../db/submissions.ts";
import { plain } from "../../source/errors.ts";
import { Problem } from "../../submission/problems.ts";
import { type StepContext, sourceOf, type Work } from "../context.ts";
import { Ledger } from "./ledger.ts";
import { store } from "./store.ts";

/** Objects of one chunk that are read at the same time. */
const PARALLEL = 12;
const WATCH_MS = 1_000;
/** Each of these is several tries by itself, and between them the bucket has answered a probe. */
const READS_BEFORE_BLAME = 3;

/**
 * Transfers one chunk: reads what is not stored yet, several objects at a time, and records outcomes in batches.
 * What is recorded is never read again; what was stored but not recorded when the process died is read again.
 *
 * @throws Problem about the way to the source or about the archive; objects' own problems are recorded
 */
export async function transfer(
  context: StepContext,
  work: Work & { chunk: number },
  signal: AbortSignal,
): Promise<void> {
  const { db } = context;
  const { id, attempt } = work;
  const row = await stillActive(db, id, attempt);
  const chunk = await readChunk(db, id, attempt, work.chunk);
  if (row === undefined || chunk === undefined || !["listing", "transferring"].includes(row.status)) return;
  const objects = chunk.objects.filter(({ state }) => state === "listed");
  if (objects.length === 0) return;
  const source = sourceOf(context, row);
  const area = context.store.staging(id);
  const over = new AbortController();
  const end = () => over.abort(new Problem("wrong_state"));
  const ledger = new Ledger(context, work, area, end);
  const stop = AbortSignal.any([signal, over.signal]);
  const hold = await context.store.hold(objects.reduce((sum, object) => sum + object.bytes, 0));
  const watch = setInterval(() => void endIfOver(context, work, end), WATCH_MS);
  try {
    await inParallel(objects, PARALLEL, stop, async (object, signal) => {
      const target = { area, attempt, hold, md5Proven: row.md5_proven };
      const outcome = await store(source, object, target, signal).catch((error: unknown) => {
        // A read that was broken off here says nothing about its object.
        if (signal.aborted) throw error;
        return blame(context, work, object, error);
      });
      await ledger.add(outcome);
    });
  } finally {
    clearInterval(watch);
    hold.release();
    // Also when the source or the service stops: what is stored must not be read again.
    await ledger.close();
  }
}

/** A submission that waits, is cancelled or retried holds no connection: its reads under way end too. */
async function endIfOver(context: StepContext, work: Work, end: () => void): Promise<void> {
  try {
    if ((await stillActive(context.db, work.id, work.attempt)) === undefined) end();
  } catch (error) {
    context.log.warn({ err: error, submission: work.id }, "could not look whether a submission is still active");
  }
}

/**
 * An object whose reads break off again and again, while the bucket itself answers in between, is unreadable; until
 * then the source as a whole is at fault. A server that asks to slow down says nothing about an object.
 */
async function blame(context: StepContext, work: Work, object: ObjectRecord, error: unknown): Promise<Outcome> {
  if (!(error instanceof Problem) || !error.retryable || error.code === "slow_down") throw error;
  if (object.attempts + 1 >= READS_BEFORE_BLAME) {
    const { message } = new Problem("object_unreadable", `“${plain(object.key)}” cannot be read: ${error.message}`);
    return { seq: object.seq, state: "failed", error: { code: "object_unreadable", message } };
  }
  await context.db.transaction().execute(async (trx) => {
    if (await lockSubmission(trx, work.id)) await countRead(trx, work.id, work.attempt, object.seq);
  });
  throw error;
}

/** Works on all items, so many at a time; the first failure ends the others too and is then thrown. */
async function inParallel<T>(
  items: readonly T[],
  width: number,
  signal: AbortSignal,
  work: (item: T, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  let failure: { error: unknown } | undefined;
  const worker = async () => {
    for (const item of rest) {
      if (stop.aborted) return;
      try {
        await work(item, stop);
      } catch (error) {
        // What ends because of the first failure is no failure of its own.
        failure ??= { error };
        failed.abort(error);
      }
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  if (failure !== undefined && !signal.aborted) throw failure.error;
}
