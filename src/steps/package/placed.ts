import type { StagingArea } from "../../archive/store.ts";
import { placedAt } from "../../db/objects.ts";
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
  for await (const batch of area.placed()) {
    const places = batch.map(({ contentPath }) => ({
      contentPath,
      key: contentPath.startsWith("data/") ? contentPath.slice("data/".length) : undefined,
    }));
    const known = await placedAt(context.db, work.id, work.attempt, places);
    for (const { contentPath, bytes } of batch) {
      const expected = known.get(contentPath);
      if (expected === undefined) continue;
      if (bytes !== expected) throw broken(`“${contentPath}” has ${bytes} bytes instead of ${expected}`);
      found++;
    }
    await area.remove(batch.filter(({ contentPath }) => !known.has(contentPath)).map(({ contentPath }) => contentPath));
  }
  if (found !== row.objects_stored) throw broken(`${row.objects_stored - found} of the stored files are missing`);
}

function broken(what: string): Problem {
  return new Problem("verification_failed", `The staged content is damaged: ${what}`);
}
