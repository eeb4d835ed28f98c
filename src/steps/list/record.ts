import { reuseFromEarlierAttempt } from "../../db/chunks/attempts.ts";
import { insertChunks } from "../../db/chunks/chunks.ts";
import { editObjects } from "../../db/chunks/edit.ts";
import { listedObject, type ObjectRecord } from "../../db/chunks/objects.ts";
import { type BaseVersion, reuseFromEarlierVersion } from "../../db/chunks/unchanged.ts";
import { objectsOfKeys, recordUnordered } from "../../db/chunks/unordered-keys.ts";
import { addToCounts } from "../../db/submissions/counts.ts";
import { checkQuota, type Usage } from "../../db/submissions/quota.ts";
import { lockSubmission, type SubmissionRow, stillActive, type Trx } from "../../db/submissions/submissions.ts";
import { compareKeys, isPlainKey, markerRun, OpenFolders, type OpenKey } from "../../domain/keys-and-paths/path.ts";
import { isActive, type Status } from "../../domain/submission/states.ts";
import type { ListedObject, ListingPage, Source } from "../../source/source.ts";
import { freeInWindow, queueChunks } from "../chunk-jobs.ts";
import type { AttemptRef, StepContext } from "../context.ts";
import { compareStored } from "../digests/stated-digests.ts";
import type { ListingState, Progress } from "../listing-state.ts";

/** A page of the listing with its selected objects only. */
export interface Page extends ListingPage {
  source: Source;
  /** How many pages were recorded before this one. */
  pages: number;
  progress: Progress | undefined;
  /** The version whose unchanged objects are not read again. */
  unread: BaseVersion | undefined;
}

/**
 * A chunk is a job of a few seconds. It ends at this number of objects or at the byte limit, whichever is reached first.
 * Larger chunks cost the database less. With several machines, chunks are smaller, because at the end all machines wait
 * for the worker that has the last chunk.
 */
export const CHUNK_OBJECTS = { alone: 2_000, shared: 250 };
export const CHUNK_BYTES = 512 * 1024 * 1024;

/**
 * Records one page, or two joined ones, in one transaction: the objects in chunks, which of them an earlier attempt has
 * stored or an earlier version holds, as many jobs as the window allows, the counters, and the position where the listing
 * continues. Returns the updated submission, or undefined if the attempt is over.
 */
export async function recordPage(
  context: StepContext,
  work: AttemptRef,
  page: Page,
): Promise<SubmissionRow | undefined> {
  const { id, attempt } = work;
  const before = page.progress ?? { seq: 0, chunk: 0, lastKey: "", ordered: true, open: [] };
  return context.db.transaction().execute(async (trx) => {
    const row = await lockSubmission(trx, id);
    if (row?.attempt !== attempt || !isActive(row.status as Status)) return undefined;
    // Another worker has recorded this page in the meantime: continue at its position.
    const known = (row.listing_position as ListingState | null)?.progress.seq ?? 0;
    const pages = (row.listing_position as ListingState | null)?.source?.pages ?? 0;
    if (known !== before.seq || pages !== page.pages) return row;
    const lines = page.source.unknown(page, await recordedOf(trx, work, before, page.objects));
    const objects = lines.map((line, index) => listedObject(before.seq + index, line, !isPlainKey(line.key)));
    if (attempt > 1) await reuseFromEarlierAttempt(trx, id, attempt, objects);
    if (page.unread !== undefined) await reuseFromEarlierVersion(trx, page.unread, objects);
    await compareStored(trx, row, objects);
    // Checked before the page is recorded, so that no object over the quota is transferred.
    await checkQuota(trx, context.quota, row.owner, usageWith(row, objects), { submission: id });
    const ordered = before.ordered && isOrdered(before.lastKey, objects);
    const open = ordered ? await markFolders(trx, work, before, objects) : [];
    const chunks = cut(objects, before.chunk, CHUNK_OBJECTS[context.jobs.isShared ? "shared" : "alone"]);
    const room = await freeInWindow(context, row, trx);
    await insertChunks(trx, id, attempt, chunks);
    if (!ordered && !(await recordUnordered(trx, id, attempt, chunks))) throw page.source.loopProblem();
    const toRead = chunks.filter((chunk) => chunk.objects.some(({ state }) => state === "listed"));
    await queueChunks(
      context,
      row,
      toRead.slice(0, room).map(({ no }) => no),
      trx,
    );
    const progress: Progress = {
      seq: before.seq + objects.length,
      chunk: before.chunk + chunks.length,
      lastKey: objects.at(-1)?.key ?? before.lastKey,
      ordered,
      open,
    };
    await count(trx, row, objects, { ...(page.next && { source: page.next }), progress });
    return stillActive(trx, id, attempt);
  });
}

/** The objects of a page that are recorded already: another process may have recorded the previous page. */
async function recordedOf(
  trx: Trx,
  { id, attempt }: AttemptRef,
  before: Progress,
  objects: readonly ListedObject[],
): Promise<ObjectRecord[]> {
  const keys = objects.map(({ key }) => key);
  const candidates = before.ordered ? keys.filter((key) => compareKeys(key, before.lastKey) <= 0) : keys;
  return before.seq === 0 || candidates.length === 0 ? [] : objectsOfKeys(trx, id, attempt, candidates);
}

/** Marks the objects that this page shows to be folders: objects of the page, and objects that were recorded before. */
async function markFolders(
  trx: Trx,
  { id, attempt }: AttemptRef,
  before: Progress,
  objects: readonly ObjectRecord[],
): Promise<readonly OpenKey[]> {
  const folders = new OpenFolders(before.lastKey, before.open);
  const recorded: number[] = [];
  for (const { key, seq, odd } of objects) {
    for (const folder of folders.next(key, seq, !odd)) {
      const own = objects[folder.seq - before.seq];
      if (own === undefined) recorded.push(folder.seq);
      else own.odd = true;
    }
  }
  await editObjects(trx, id, attempt, recorded, (object) => {
    object.odd = true;
    return true;
  });
  return folders.state;
}

/** The submission's usage including these objects. Objects that an earlier version holds do not count. */
function usageWith(row: SubmissionRow, objects: readonly ObjectRecord[]): Usage {
  const taken = objects.filter(({ verifiedIn }) => verifiedIn === null);
  return {
    submissions: 0,
    objects: Math.max(row.objects_kept, row.objects_listed - row.objects_unchanged + taken.length),
    bytes: Math.max(row.bytes_kept, row.bytes_listed - row.bytes_unchanged + bytesOf(taken)),
  };
}

async function count(trx: Trx, row: SubmissionRow, objects: readonly ObjectRecord[], position: object): Promise<void> {
  const carried = objects.filter(({ state }) => state === "stored");
  const unchanged = carried.filter(({ verifiedIn }) => verifiedIn !== null);
  await addToCounts(
    trx,
    row.id,
    {
      objects_listed: objects.length,
      bytes_listed: bytesOf(objects),
      objects_stored: carried.length,
      bytes_stored: bytesOf(carried),
      objects_unchanged: unchanged.length,
      bytes_unchanged: bytesOf(unchanged),
    },
    {
      md5_proven: row.md5_proven || carried.some(({ verifiedBy }) => verifiedBy === "md5"),
      marker_run: Math.max(row.marker_run, ...objects.map(({ key }) => markerRun(key) ?? -1)),
      listing_position: JSON.stringify(position),
      updated_at: new Date(),
    },
  );
}

function bytesOf(objects: readonly { bytes: number }[]): number {
  return objects.reduce((sum, { bytes }) => sum + bytes, 0);
}

function cut(
  objects: readonly ObjectRecord[],
  firstNo: number,
  most: number,
): { no: number; objects: ObjectRecord[] }[] {
  const chunks: { no: number; objects: ObjectRecord[] }[] = [];
  let size = 0;
  for (const object of objects) {
    let open = chunks.at(-1);
    if (open === undefined || open.objects.length >= most || size + object.bytes > CHUNK_BYTES) {
      open = { no: firstNo + chunks.length, objects: [] };
      chunks.push(open);
      size = 0;
    }
    open.objects.push(object);
    size += object.bytes;
  }
  return chunks;
}

/** S3 specifies the byte order of UTF-8, but not every server complies. */
function isOrdered(last: string, objects: readonly ObjectRecord[]): boolean {
  let before = last;
  for (const { key } of objects) {
    if (compareKeys(before, key) >= 0) return false;
    before = key;
  }
  return true;
}
