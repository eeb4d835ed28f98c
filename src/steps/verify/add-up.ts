import { countBetween } from "../../db/objects.ts";
import type { SubmissionRow } from "../../db/submissions.ts";
import { Problem } from "../../submission/problems.ts";
import type { StepContext, Work } from "../context.ts";

const SLICE_OBJECTS = 10_000;

/**
 * Adds up the frozen listing object by object and compares it with the counters that were kept in passing: every
 * object is stored with a digest, or excluded.
 *
 * @throws Problem `verification_failed`
 */
export async function addUp(context: StepContext, work: Work, row: SubmissionRow): Promise<void> {
  const sum = { objects: 0, stored: 0, excluded: 0, bytesStored: 0 };
  for (let from = 0; from < row.objects_listed; from += SLICE_OBJECTS) {
    const slice = await countBetween(context.db, work.id, work.attempt, from, from + SLICE_OBJECTS);
    sum.objects += slice.objects;
    sum.stored += slice.stored;
    sum.excluded += slice.excluded;
    sum.bytesStored += slice.bytesStored;
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
