import { editNotable } from "../../db/chunks/edit.ts";
import { addToCounts } from "../../db/submissions/counts.ts";
import { addEvent } from "../../db/submissions/events.ts";
import { lockSubmission, type Trx } from "../../db/submissions/submissions.ts";
import { wait } from "../../db/submissions/waiting.ts";
import { several } from "../../domain/numbers.ts";
import { catalogue } from "../../domain/problems.ts";
import type { AttemptRef, StepContext } from "../context.ts";

/**
 * Decides about objects whose ETag looked like MD5 but did not match their bytes in two reads. If other ETags of the bucket
 * proved to be MD5, the objects are corrupt at the source. Otherwise the bucket's ETags are no MD5, and the objects are accepted.
 *
 * @returns true when the submission now waits for a decision about them
 */
export async function judgeSuspects(context: StepContext, work: AttemptRef): Promise<boolean> {
  const accepted = { objects: 0, bytes: 0 };
  const waits = await context.db.transaction().execute(async (trx) => {
    const row = await lockSubmission(trx, work.id);
    if (row?.attempt !== work.attempt || row.status !== "verifying") return false;
    if (!row.md5_proven) {
      Object.assign(accepted, await acceptSuspects(trx, work));
      return false;
    }
    const error = {
      code: "source_corrupt",
      message: `${catalogue.source_corrupt.title}: the ETag is not the MD5 of the content`,
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
    const message = `${several(count, "object")} corrupt at the source`;
    await addEvent(trx, work.id, { type: "objects_unreadable", message, data: { count } });
    await wait(trx, row, "objects_unreadable", { message });
    return true;
  });
  context.metrics.stored(accepted.objects, accepted.bytes);
  return waits;
}

/** Accepts the objects as stored: only their lengths were verified, and those match. */
async function acceptSuspects(trx: Trx, work: AttemptRef): Promise<{ objects: number; bytes: number }> {
  let count = 0;
  let bytes = 0;
  await editNotable(trx, work.id, work.attempt, "suspect", (object) => {
    if (!object.suspect || object.state !== "stored") return false;
    object.suspect = false;
    count++;
    bytes += object.bytes;
    return true;
  });
  const accepted = { objects: count, bytes };
  if (count === 0) return accepted;
  await addToCounts(trx, work.id, { objects_stored: count, bytes_stored: bytes });
  return accepted;
}
