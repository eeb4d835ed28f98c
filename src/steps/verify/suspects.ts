import { editNotable } from "../../db/chunks/edit.ts";
import { addToCounts } from "../../db/submissions/counts.ts";
import { addEvent } from "../../db/submissions/events.ts";
import { lockSubmission, type Trx } from "../../db/submissions/submissions.ts";
import { wait } from "../../db/submissions/waiting.ts";
import { several } from "../../domain/numbers.ts";
import { catalogue, Problem } from "../../domain/problems.ts";
import { WAITING_DAYS } from "../../domain/states.ts";
import type { StepContext, Work } from "../context.ts";

/**
 * Judges objects whose ETag looked like MD5 and was not that of their bytes, twice. Where other ETags of the bucket
 * proved to be MD5 the objects are corrupt at the source; otherwise these ETags are something else.
 *
 * @returns true when the submission now waits for a decision about them
 */
export async function judgeSuspects(context: StepContext, work: Work): Promise<boolean> {
  const acquitted = { objects: 0, bytes: 0 };
  const waits = await context.db.transaction().execute(async (trx) => {
    const row = await lockSubmission(trx, work.id);
    if (row?.attempt !== work.attempt || row.status !== "verifying") return false;
    if (!row.md5_proven) {
      Object.assign(acquitted, await acquit(trx, work));
      return false;
    }
    const error = {
      code: "source_corrupt",
      message: `${catalogue.source_corrupt.title}: the ETag is no longer that of the bytes`,
    };
    let count = 0;
    await editNotable(trx, work.id, work.attempt, "suspect", (object) => {
      if (!object.suspect || object.state !== "stored") return false;
      Object.assign(object, {
        state: "failed",
        suspect: false,
        sha512: null,
        verifiedBy: null,
        verifiedWith: null,
        error,
      });
      count++;
      return true;
    });
    if (count === 0) return false;
    await addToCounts(trx, work.id, { objects_failed: count });
    const problem = new Problem("objects_unreadable", `${several(count, "object")} corrupt at the source`);
    await addEvent(trx, work.id, {
      type: "objects_unreadable",
      message: problem.message,
      data: { count },
    });
    await wait(trx, row, problem, { days: WAITING_DAYS.decision });
    return true;
  });
  context.metrics.stored(acquitted.objects, acquitted.bytes);
  return waits;
}

/** Nothing speaks for corruption: their lengths are right, and that is all that is known. */
async function acquit(trx: Trx, work: Work): Promise<{ objects: number; bytes: number }> {
  let count = 0;
  let bytes = 0;
  await editNotable(trx, work.id, work.attempt, "suspect", (object) => {
    if (!object.suspect || object.state !== "stored") return false;
    object.suspect = false;
    count++;
    bytes += object.bytes;
    return true;
  });
  const acquitted = { objects: count, bytes };
  if (count === 0) return acquitted;
  await addToCounts(trx, work.id, { objects_stored: count, bytes_stored: bytes });
  return acquitted;
}
