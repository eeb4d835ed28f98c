import { dropBefore } from "../../db/chunks/attempts.ts";
import { everyObject } from "../../db/chunks/chunks.ts";
import { editChunk, editObjects, notableChunks } from "../../db/chunks/edit.ts";
import { foldersAmong } from "../../db/chunks/unordered-keys.ts";
import { addEvent } from "../../db/submissions/events.ts";
import { changeStatus, lockSubmission, readSubmission, type SubmissionRow } from "../../db/submissions/submissions.ts";
import { markerFor, pathOf } from "../../domain/keys-and-paths/path.ts";
import { several, size } from "../../domain/numbers.ts";
import { Problem } from "../../domain/problems.ts";
import type { AttemptRef, StepContext } from "../context.ts";
import { compareListing, comparisonInWords } from "../digests/compare-listing.ts";
import { checkDiskSpace } from "../disk-space.ts";
import type { ListingState } from "../listing-state.ts";
import { sourceInWords } from "../submission-source.ts";

/**
 * Freezes the listing. From then on the objects of the dataset, their paths and the required disk space are fixed. May be
 * run again after a crash.
 *
 * @throws Problem `source_empty`, `digest_files_missing`, `no_space`
 */
export async function freezeListing(context: StepContext, work: AttemptRef, signal: AbortSignal): Promise<void> {
  const { db } = context;
  const { id, attempt } = work;
  const row = await readSubmission(db, id);
  const { progress } = row.listing_position as ListingState;
  if (progress.seq === 0) {
    throw new Problem("source_empty", `The selection matches no objects in ${sourceInWords(row)}`);
  }
  if (!progress.ordered) await markFolders(context, work);
  await nameOddKeys(context, work, row);
  if (attempt > 1) await dropBefore(db, id, attempt);
  const comparison = await compareListing(context, work, row, signal);
  await checkDiskSpace(context, row);
  await db.transaction().execute(async (trx) => {
    const now = await lockSubmission(trx, id);
    if (now?.attempt !== attempt || now.status !== "listing") return;
    await addEvent(trx, id, {
      type: "listed",
      message: `Listing completed: ${several(now.objects_listed, "object")}, ${size(now.bytes_listed)}${comparisonInWords(comparison)}`,
      data: { objects: now.objects_listed, bytes: now.bytes_listed },
    });
    await changeStatus(
      trx,
      now,
      "transferring",
      { type: "transferring", message: "Transfer started" },
      { listing_complete: true },
    );
  });
}

/** Marks the folders of a listing that was not in byte order, which can only be detected once the listing is complete. */
async function markFolders({ db }: StepContext, { id, attempt }: AttemptRef): Promise<void> {
  for await (const objects of everyObject(db, id, attempt)) {
    const plain = objects.filter(({ odd }) => !odd);
    const folders = await foldersAmong(
      db,
      id,
      attempt,
      plain.map(({ key }) => key),
    );
    if (folders.size === 0) continue;
    const seqs = plain.filter(({ key }) => folders.has(key)).map(({ seq }) => seq);
    await db.transaction().execute(async (trx) => {
      await lockSubmission(trx, id);
      await editObjects(trx, id, attempt, seqs, (object) => {
        object.odd = true;
        return true;
      });
    });
  }
}

async function nameOddKeys({ db }: StepContext, { id, attempt }: AttemptRef, row: SubmissionRow): Promise<void> {
  const marker = markerFor(row.marker_run < 0 ? [] : [`%keys${"%".repeat(row.marker_run)}`]);
  for await (const no of notableChunks(db, id, attempt, "odd")) {
    await db.transaction().execute(async (trx) => {
      await lockSubmission(trx, id);
      await editChunk(trx, id, attempt, no, "all", (object) => {
        if (object.odd) object.path = pathOf(object.key, { isFolder: true, marker });
        return object.odd;
      });
    });
  }
}
