import type { Trx } from "../submissions/submissions.ts";
import { recordDisplaced } from "./chunks.ts";
import { editChunk, editObjects } from "./edit.ts";
import type { ObjectRecord } from "./objects.ts";

/** The outcome of reading an object. */
export type Outcome =
  | {
      seq: number;
      state: "stored";
      contentPath: string | null;
      sha512: string;
      verifiedBy: string;
      verifiedWith: string;
      etagIsDigest: boolean;
      suspect: boolean;
      responseMetadata: object;
    }
  | { seq: number; state: "failed"; error: { code: string; message: string } };

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
): Promise<{ stored: number; bytes: number; failed: number; left: number }> {
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
