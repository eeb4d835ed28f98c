import type { PackageArea } from "../../archive/store.ts";
import { readChunk, recordDisplaced } from "../../db/chunks/chunks.ts";
import { editObjects, notableChunks } from "../../db/chunks/edit.ts";
import type { ObjectRecord } from "../../db/chunks/objects.ts";
import { lockSubmission } from "../../db/submissions/submissions.ts";
import { Problem } from "../../domain/problems.ts";
import type { AttemptRef, StepContext } from "../context.ts";

/**
 * Gives content that lies at a path which is also a folder of others another place. Where that can be, an object store,
 * nothing has kept it from being placed before the listing showed what lies below it. May be run again after a crash.
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
      // What an earlier version holds stays where it is.
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
