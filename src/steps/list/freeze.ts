import { dropBefore } from "../../db/attempts.ts";
import { addEvent } from "../../db/events.ts";
import { assignPaths, everyObject, markFoldersBetween } from "../../db/objects.ts";
import { lockSubmission, move, type SubmissionRow } from "../../db/submissions.ts";
import { several, size } from "../../submission/numbers.ts";
import { markerFor, pathOf } from "../../submission/path.ts";
import { Problem } from "../../submission/problems.ts";
import type { StepContext, Work } from "../context.ts";
import type { ListingState } from "../listing-state.ts";
import { checkRoom } from "../room.ts";

const SLICE_OBJECTS = 10_000;

/**
 * Freezes the listing: from here on it is known what the dataset will hold, under which paths, and how much room it
 * takes. May be run again after a crash.
 */
export async function freeze(context: StepContext, work: Work): Promise<void> {
  const { db } = context;
  const { id, attempt } = work;
  const row = await db.selectFrom("submission").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const { progress } = row.listing_position as ListingState;
  if (progress.seq === 0) {
    throw new Problem("source_empty", `Nothing in “${row.bucket}” is selected: there is nothing to take in`);
  }
  if (!progress.ordered) {
    for (let from = 0; from < progress.seq; from += SLICE_OBJECTS) {
      await markFoldersBetween(db, id, attempt, from, from + SLICE_OBJECTS);
    }
  }
  await nameOddKeys(context, work, row);
  if (attempt > 1) await dropBefore(db, id, attempt);
  await checkRoom(context, row);
  await db.transaction().execute(async (trx) => {
    const now = await lockSubmission(trx, id);
    if (now?.attempt !== attempt || now.status !== "listing") return;
    await addEvent(trx, id, {
      type: "listed",
      message: `The listing is complete: ${several(now.objects_listed, "object")}, ${size(now.bytes_listed)}`,
      data: { objects: now.objects_listed, bytes: now.bytes_listed },
    });
    await move(
      trx,
      now,
      "transferring",
      { type: "transferring", message: "Reading what is not stored yet" },
      { listing_complete: true },
    );
  });
}

async function nameOddKeys(context: StepContext, work: Work, row: SubmissionRow): Promise<void> {
  const marker = markerFor(row.marker_run < 0 ? [] : [`%keys${"%".repeat(row.marker_run)}`]);
  for await (const page of everyObject(context.db, work.id, work.attempt, { odd: true })) {
    await assignPaths(
      context.db,
      work.id,
      work.attempt,
      page.map(({ seq, key }) => ({ seq, path: pathOf(key, { isFolder: true, marker }) })),
    );
  }
}
