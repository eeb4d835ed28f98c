import type { Queries } from "../../db/database.ts";
import type { Trx } from "../../db/submissions/submissions.ts";
import { type AreaRow, findArea, lockArea, submitArea } from "../../db/uploads/areas.ts";
import {
  filesOf,
  incompleteFilesOf,
  type SegmentRow,
  segmentsOfFiles,
  type UploadFileRow,
} from "../../db/uploads/files.ts";
import { partsIn } from "../../db/uploads/parts.ts";
import { segmentCounts } from "../../db/uploads/segments.ts";
import { inMessage } from "../../domain/in-message.ts";
import { several } from "../../domain/numbers.ts";
import { Problem } from "../../domain/problems.ts";
import { isUuid } from "../../domain/uuid.ts";
import { listingLine, listingName } from "../../source/upload/area-listing.ts";
import { uploadSubmitted } from "../../uploads/file-names.ts";
import { offsetOf } from "../../uploads/offset.ts";
import type { IntakeContext } from "../context.ts";

/** An upload area that can become the source of a submission, with the listing of its files. */
export interface ReadyUpload {
  files: number;
  bytes: number;
  /**
   * Locks the area before anything else of the transaction.
   * @throws Problem `not_found`, `upload_submitted`, `upload_changed`, `upload_incomplete`
   */
  lock(trx: Trx): Promise<void>;
  /** Makes the locked area the source of the submission, which exists. */
  submit(trx: Trx): Promise<void>;
  /** Removes the listing of a submission that was not accepted. */
  discard(): Promise<void>;
}

const FILES_AT_ONCE = 1_000;
/** A file that was joined or interrupted often has many. About as many are in memory, and those of one file. */
const SEGMENTS_AT_ONCE = 5_000;
const MOST_NAMED = 5;

/**
 * Lists the files of an upload area for a submission of its owner.
 *
 * @param chosen.revision of the area whose files the owner has seen; undefined to submit what it has now
 * @throws Problem `uploads_off`, `not_found`, `upload_submitted`, `upload_empty`, `upload_incomplete`, `upload_changed`
 */
export async function readyUpload(
  { db, uploads, compareUpload }: IntakeContext,
  owner: string,
  { id, revision, submission }: { id: string; revision: number | undefined; submission: string },
): Promise<ReadyUpload> {
  if (uploads === undefined) throw new Problem("uploads_off");
  const area = isUuid(id) ? await findArea(db, id) : undefined;
  if (area === undefined || area.owner !== owner) throw unknown();
  if (area.submission_id !== null) throw uploadSubmitted(area.submission_id);
  if (revision !== undefined && revision !== area.revision) throw changed();
  await requireNoParts(db, id);
  if (area.files === 0) throw new Problem("upload_empty");
  if (area.incomplete > 0) {
    await compareUpload(id);
    throw await incomplete({ db }, id, area.incomplete);
  }
  const name = listingName(submission);
  await uploads.write(id, name, linesOf({ db }, area));
  return {
    files: area.files,
    bytes: area.bytes,
    async lock(trx) {
      const locked = await lockArea(trx, id);
      if (locked === undefined) throw unknown();
      if (locked.submission_id !== null) throw uploadSubmitted(locked.submission_id);
      if (locked.revision !== area.revision) throw changed();
      // The revision counts no parts.
      await requireNoParts(trx, id);
    },
    submit: (trx) => submitArea(trx, id, submission),
    discard: () => uploads.remove(id, [name]),
  };
}

/** The lines of the listing. What is changed meanwhile is noticed by the revision of the area. */
async function* linesOf({ db }: Pick<IntakeContext, "db">, { id }: AreaRow): AsyncGenerator<string> {
  for (let after: string | undefined; ; ) {
    const rows = await filesOf(db, id, { after, limit: FILES_AT_ONCE });
    const counts = await segmentCounts(db, id, numbersOf(rows));
    for (const some of groupsOf(rows, counts)) {
      const byFile = Map.groupBy(await segmentsOfFiles(db, id, numbersOf(some)), ({ no }) => no);
      yield some.map((row) => lineOf(row, byFile.get(row.no) ?? [])).join("");
    }
    after = rows.at(-1)?.path;
    if (rows.length < FILES_AT_ONCE) return;
  }
}

/** The files in groups that have about as many segments as are read at once. */
function* groupsOf(rows: readonly UploadFileRow[], counts: ReadonlyMap<number, number>): Generator<UploadFileRow[]> {
  let group: UploadFileRow[] = [];
  let segments = 0;
  for (const row of rows) {
    group.push(row);
    segments += counts.get(row.no) ?? 0;
    if (segments < SEGMENTS_AT_ONCE) continue;
    yield group;
    group = [];
    segments = 0;
  }
  if (group.length > 0) yield group;
}

function numbersOf(rows: readonly UploadFileRow[]): number[] {
  return rows.map(({ no }) => no);
}

function lineOf(row: UploadFileRow, segments: readonly SegmentRow[]): string {
  const { path: key, bytes, sha512, stated_sha512, completed_at: at } = row;
  if (sha512 === null || at === null) throw changed();
  return listingLine({
    ...{ key, bytes, sha512, segments },
    isStated: stated_sha512 !== null,
    completedAt: at.toISOString(),
  });
}

/** Parts that were not joined are bytes that a dataset would lack. @throws Problem `upload_incomplete` */
async function requireNoParts(db: Queries, id: string): Promise<void> {
  const { count, bytes } = await partsIn(db, id);
  if (count === 0) return;
  const detail = `${several(count, "part")} of files with ${bytes} bytes ${count === 1 ? "was" : "were"} not joined`;
  throw new Problem("upload_incomplete", `${detail}. GET /uploads/${id}/files?parts=true lists them`);
}

async function incomplete(context: Pick<IntakeContext, "db">, id: string, count: number): Promise<Problem> {
  const some = await incompleteFilesOf(context.db, id, MOST_NAMED);
  const named = some.map((row) => `“${inMessage(row.path)}” (${offsetOf(row)} of ${row.bytes} bytes)`);
  const more = count > named.length ? " and others" : "";
  return new Problem("upload_incomplete", `${several(count, "file")} not complete: ${named.join(", ")}${more}`);
}

function unknown(): Problem {
  return new Problem("not_found", "You have no upload with this id");
}

function changed(): Problem {
  return new Problem("upload_changed");
}
