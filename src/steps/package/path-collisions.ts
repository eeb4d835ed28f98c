import type { PackageArea } from "../../archive/store.ts";
import { readChunk, recordDisplaced } from "../../db/chunks/chunks.ts";
import { editObjects, notableChunks } from "../../db/chunks/edit.ts";
import type { ObjectRecord } from "../../db/chunks/objects.ts";
import { lockSubmission } from "../../db/submissions/submissions.ts";
import { Problem } from "../../domain/problems.ts";
import type { AttemptRef, StepContext } from "../context.ts";

/**
 * Moves content whose path is also a folder of other objects. This only occurs in an object store: there, an object can be
 * stored before the listing shows that other keys are below it. May be run again after a crash.
 */
export async function resolvePathCollisions(
  context: StepContext,
  { id, attempt }: AttemptRef,
  area: PackageArea,
): Promise<void> {
  const { db } = context;
  for await (const no of notableChunks(db, id, attempt, "odd")) {
    const objects = (await readChunk(db, id, attempt, no))?.objects ?? [];
    const moved = new Map<number, string>();
    for (const { seq, key, odd, state, contentPath, verifiedIn } of objects) {
      // Content of an earlier version is not moved.
      if (!odd || state !== "stored" || contentPath !== null || verifiedIn !== null) continue;
      const place = `data/${key}`;
      const aside = await area.moveAside(place);
      if (aside !== place) moved.set(seq, aside);
    }
    if (moved.size === 0) continue;
    await db.transaction().execute(async (trx) => {
      const row = await lockSubmission(trx, id);
      if (row?.attempt !== attempt || row.status !== "packaging") throw new Problem("wrong_state");
      const changed: ObjectRecord[] = [];
      await editObjects(trx, id, attempt, [...moved.keys()], (object) => {
        object.contentPath = moved.get(object.seq) ?? null;
        changed.push(object);
        return true;
      });
      await recordDisplaced(trx, id, attempt, no, changed);
    });
  }
}
