import type { StagingArea } from "../../archive/store.ts";
import { displacedAt, everyObject } from "../../db/chunks.ts";
import { objectsOfKeys } from "../../db/keys.ts";
import { placeOfObject } from "../../db/objects.ts";
import type { SubmissionRow } from "../../db/submissions.ts";
import { Problem } from "../../submission/problems.ts";
import type { StepContext, Work } from "../context.ts";

/**
 * Holds the placed files against the stored objects, both ways: every object has its file, of its size; files that
 * belong to no stored object (left by a crash, an earlier attempt, or an object excluded afterwards) are removed.
 *
 * @throws Problem `verification_failed`
 */
export async function matchPlaced(
  context: StepContext,
  work: Work,
  row: SubmissionRow,
  area: StagingArea,
): Promise<void> {
  let found = 0;
  for await (const objects of everyObject(context.db, work.id, work.attempt)) {
    const stored = objects.filter(({ state }) => state === "stored");
    const sizes = await area.sizes(stored.map(placeOfObject));
    for (const [index, object] of stored.entries()) {
      const bytes = sizes[index];
      if (bytes === undefined) continue;
      if (bytes !== object.bytes) {
        throw broken(`“${placeOfObject(object)}” has ${bytes} bytes instead of ${object.bytes}`);
      }
      found++;
    }
  }
  if (found !== row.objects_stored) throw broken(`${row.objects_stored - found} of the stored files are missing`);
  // No two objects share a place: when there are as many files as objects, no file is anybody else's.
  if ((await area.count()) !== found) await removeUnknown(context, work, area);
}

async function removeUnknown({ db }: StepContext, { id, attempt }: Work, area: StagingArea): Promise<void> {
  for await (const paths of area.placed()) {
    const keys = paths.filter((path) => path.startsWith("data/")).map((path) => path.slice("data/".length));
    const natural = await objectsOfKeys(db, id, attempt, keys);
    const known = new Set([
      ...natural.filter(({ state, contentPath }) => state === "stored" && contentPath === null).map(placeOfObject),
      ...(await displacedAt(db, id, attempt, paths)).map(placeOfObject),
    ]);
    await area.remove(paths.filter((path) => !known.has(path)));
  }
}

function broken(what: string): Problem {
  return new Problem("verification_failed", `The staged content is damaged: ${what}`);
}
