import { carryOver } from "../../db/attempts.ts";
import { type Chunk, insertChunks } from "../../db/chunks.ts";
import { insertListed, markFolders } from "../../db/objects.ts";
import { lockSubmission, type SubmissionRow, stillActive, type Trx } from "../../db/submissions.ts";
import type { ListedObject, ListingPosition } from "../../source/listing.ts";
import { ancestors, isPlainKey, markerRun } from "../../submission/path.ts";
import { Problem } from "../../submission/problems.ts";
import { isActive, QUEUES, type Status } from "../../submission/states.ts";
import type { StepContext, Work } from "../context.ts";
import type { ListingState, Progress } from "../listing-state.ts";

export interface Page {
  /** Only those that are selected. */
  objects: ListedObject[];
  next: ListingPosition | undefined;
  /** How many pages were recorded before this one. */
  pages: number;
  progress: Progress | undefined;
}

/** A chunk is a job of some seconds: so many objects, or so many bytes, whatever is reached first. */
const CHUNK_OBJECTS = 500;
const CHUNK_BYTES = 512 * 1024 * 1024;

/**
 * Records one page in one transaction: its objects, what an earlier attempt has stored of them, the chunks and their
 * jobs, the counters, and where the listing goes on. Gives the submission as it then is, or undefined when the
 * attempt is over.
 */
export async function recordPage(context: StepContext, work: Work, page: Page): Promise<SubmissionRow | undefined> {
  const { id, attempt } = work;
  const before = page.progress ?? { seq: 0, chunk: 0, lastKey: "", ordered: true };
  const rows = page.objects.map((object, index) => ({
    ...object,
    seq: before.seq + index,
    odd: !isPlainKey(object.key),
  }));
  const chunks = cut(rows, before.chunk);
  return context.db.transaction().execute(async (trx) => {
    const row = await lockSubmission(trx, id);
    if (row?.attempt !== attempt || !isActive(row.status as Status)) return undefined;
    // Somebody else has recorded this page meanwhile: go on where that left off.
    const known = (row.listing_position as ListingState | null)?.progress.seq ?? 0;
    const pages = (row.listing_position as ListingState | null)?.source?.pages ?? 0;
    if (known !== before.seq || pages !== page.pages) return row;
    if ((await insertListed(trx, id, attempt, rows)) < rows.length) {
      throw new Problem("listing_loop", `The listing of “${row.bucket}” never ends: it names the same key again`);
    }
    await markFolders(trx, id, attempt, [...new Set(page.objects.flatMap(({ key }) => ancestors(key)))]);
    const carried =
      attempt > 1 && rows.length > 0
        ? await carryOver(trx, id, attempt, before.seq, before.seq + rows.length - 1)
        : { objects: 0, bytes: 0 };
    await insertChunks(trx, id, attempt, chunks);
    await context.jobs.enqueueAll(
      QUEUES.transfer,
      chunks.map(({ no }) => ({ key: `${id}/${attempt}/${no}`, data: { id, attempt, chunk: no } })),
      trx,
    );
    const progress: Progress = {
      seq: before.seq + rows.length,
      chunk: before.chunk + chunks.length,
      lastKey: rows.at(-1)?.key ?? before.lastKey,
      ordered: before.ordered && isOrdered(before.lastKey, page.objects),
    };
    await count(trx, row, page, rows, carried, { ...(page.next && { source: page.next }), progress });
    return stillActive(trx, id, attempt);
  });
}

async function count(
  trx: Trx,
  row: SubmissionRow,
  page: Page,
  rows: ListedObject[],
  carried: { objects: number; bytes: number },
  position: object,
): Promise<void> {
  const bytes = rows.reduce((sum, object) => sum + object.bytes, 0);
  await trx
    .updateTable("submission")
    .set((eb) => ({
      objects_listed: eb("objects_listed", "+", rows.length),
      bytes_listed: eb("bytes_listed", "+", bytes),
      objects_stored: eb("objects_stored", "+", carried.objects),
      bytes_stored: eb("bytes_stored", "+", carried.bytes),
      marker_run: Math.max(row.marker_run, ...page.objects.map(({ key }) => markerRun(key) ?? -1)),
      listing_position: JSON.stringify(position),
      updated_at: new Date(),
    }))
    .where("id", "=", row.id)
    .execute();
}

function cut(rows: { seq: number; bytes: number }[], firstNo: number): Chunk[] {
  const chunks: Chunk[] = [];
  let open: Chunk | undefined;
  for (const { seq, bytes } of rows) {
    if (open === undefined || seq - open.firstSeq >= CHUNK_OBJECTS || open.bytes + bytes > CHUNK_BYTES) {
      open = { no: firstNo + chunks.length, firstSeq: seq, lastSeq: seq, bytes: 0 };
      chunks.push(open);
    }
    open.lastSeq = seq;
    open.bytes += bytes;
  }
  return chunks;
}

/** S3 promises the byte order of UTF-8; not every server keeps that. */
function isOrdered(last: string, objects: ListedObject[]): boolean {
  let before = Buffer.from(last);
  for (const { key } of objects) {
    const now = Buffer.from(key);
    if (Buffer.compare(before, now) >= 0) return false;
    before = now;
  }
  return true;
}
