import type { Queries } from "../db/database.ts";
import { findArea } from "../db/uploads/areas.ts";
import { segmentsWithNames } from "../db/uploads/segments.ts";
import { listingName } from "../source/upload/area-listing.ts";
import type { FoundArea, UploadFolder } from "./upload-folder.ts";

const NAMES_AT_ONCE = 1_000;

/**
 * Removes the files in the folder of an area that were last written before a time, and are neither segments nor the listing of its
 * submission: a process that crashed left them. Without effect if the database has not recorded a later use of the area than the last
 * change of its folder: it may be an earlier one that was restored. @returns the number of removed files
 */
export async function removeOrphans(
  { db, uploads }: { db: Queries; uploads: UploadFolder },
  { id, changedAt }: FoundArea,
  before: Date,
): Promise<number> {
  let removed = 0;
  const used = (await findArea(db, id))?.used_at;
  if (used === undefined || used < changedAt) return removed;
  for await (const names of uploads.names(id, NAMES_AT_ONCE)) {
    const segments = await segmentsWithNames(db, id, names);
    // After the segments, so that what is recorded and submitted meanwhile is found.
    const area = await findArea(db, id);
    if (area === undefined) return removed;
    const needed = new Set(segments.map(({ name }) => name));
    if (area.submission_id !== null) needed.add(listingName(area.submission_id));
    const unneeded = names.filter((name) => !needed.has(name));
    removed += await uploads.removeOlder(id, unneeded, before);
  }
  return removed;
}
