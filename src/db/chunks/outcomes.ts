import type { Trx } from "../submissions/submissions.ts";
import { type ChunkRevision, replaceLines } from "./chunk-revision.ts";
import { recordDisplaced, recordDisplacedPaths } from "./chunks.ts";
import { editChunk, editObjects } from "./edit.ts";
import type { ObjectRecord } from "./objects.ts";
import { type Outcome, type OutcomeBatch, outcomesOf } from "./outcome-batch.ts";

/** What was recorded of a batch, and how many objects of the chunk remain to be read. */
interface Recorded {
  stored: number;
  bytes: number;
  failed: number;
  left: number;
}

/**
 * Records a batch of outcomes of one chunk. If the chunk has not changed since the objects were taken from it, their lines are
 * replaced without reading it. Otherwise as {@link recordOutcomes}. The caller holds the submission's lock, and records at
 * most one batch of a chunk in a transaction.
 *
 * @param known the chunk as the objects were taken from it, with the batches that were recorded since; undefined if
 * something else has changed it
 * @returns also `known` for the next batch, valid once the transaction is committed
 */
export async function recordBatch(
  trx: Trx,
  id: string,
  attempt: number,
  { no, known }: { no: number; known: ChunkRevision | undefined },
  batch: OutcomeBatch,
): Promise<Recorded & { known: ChunkRevision | undefined }> {
  const next = known && (await replaceLines(trx, id, attempt, known, batch));
  // The objects of later batches were taken from the chunk before it changed, so their lines do not fit either.
  if (next === undefined) {
    return { ...(await recordOutcomes(trx, id, attempt, no, outcomesOf(batch))), known: undefined };
  }
  const paths = batch.displaced.map(({ path }) => path);
  await recordDisplacedPaths(trx, id, attempt, no, paths);
  const { stored, bytes, failures } = batch;
  return { stored, bytes, failed: failures.length, left: next.listed, known: next };
}

/**
 * Records outcomes of one chunk, only for objects that still had to be read. Returns what was recorded, and how many objects
 * of the chunk remain to be read. Suspects do not count as stored before they are accepted, so that progress never
 * decreases. The caller holds the submission's lock.
 */
export async function recordOutcomes(
  trx: Trx,
  id: string,
  attempt: number,
  no: number,
  outcomes: readonly Outcome[],
): Promise<Recorded> {
  const bySeq = new Map(outcomes.map((outcome) => [outcome.seq, outcome]));
  const sum = { stored: 0, bytes: 0, failed: 0 };
  const displaced: ObjectRecord[] = [];
  const left = await editChunk(trx, id, attempt, no, [...bySeq.keys()], (object) => {
    const outcome = bySeq.get(object.seq);
    if (outcome === undefined || object.state !== "listed") return false;
    Object.assign(object, outcome, { attempts: object.attempts + 1 });
    if (outcome.state === "failed") sum.failed++;
    else if (!outcome.suspect) {
      sum.stored++;
      sum.bytes += object.bytes;
    }
    if (object.contentPath !== null) displaced.push(object);
    return true;
  });
  await recordDisplaced(trx, id, attempt, no, displaced);
  return { ...sum, left: left ?? 0 };
}

/** Counts a failed read. The caller holds the submission's lock. */
export async function countRead(trx: Trx, id: string, attempt: number, seq: number): Promise<void> {
  await editObjects(trx, id, attempt, [seq], (object) => {
    object.attempts++;
    return true;
  });
}
