import { everyObject } from "../../db/chunks.ts";
import type { SubmissionRow } from "../../db/submissions.ts";
import { Problem } from "../../submission/problems.ts";
import type { StepContext, Work } from "../context.ts";

/**
 * Adds up the frozen listing object by object and compares it with the counters that were kept in passing: every
 * object is stored with a digest, or excluded.
 *
 * @throws Problem `verification_failed`
 */
export async function addUp(context: StepContext, work: Work, row: SubmissionRow): Promise<void> {
  const sum = { objects: 0, stored: 0, excluded: 0, bytesStored: 0 };
  for await (const objects of everyObject(context.db, work.id, work.attempt)) {
    for (const { state, sha512, bytes } of objects) {
      sum.objects++;
      if (state === "excluded") sum.excluded++;
      if (state !== "stored") continue;
      sum.bytesStored += bytes;
      if (sha512 !== null) sum.stored++;
    }
  }
  const right =
    sum.objects === row.objects_listed &&
    sum.stored === row.objects_stored &&
    sum.excluded === row.objects_excluded &&
    sum.stored + sum.excluded === sum.objects &&
    sum.bytesStored === row.bytes_stored;
  if (right) return;
  throw new Problem(
    "verification_failed",
    `Of ${row.objects_listed} listed objects ${sum.stored} are stored and ${sum.excluded} excluded (${sum.bytesStored} bytes); ` +
      `the counters say ${row.objects_stored}, ${row.objects_excluded} and ${row.bytes_stored} bytes`,
  );
}
