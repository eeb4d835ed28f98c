import type { FastifyRequest } from "fastify";
import type { Static } from "typebox";
import { type AreaRow, findArea } from "../../db/uploads/areas.ts";
import { findFile, type UploadFileRow } from "../../db/uploads/files.ts";
import { isPart } from "../../db/uploads/part-paths.ts";
import { type LeftParts, partsIn, partsOfAreas } from "../../db/uploads/parts.ts";
import { Problem } from "../../domain/problems.ts";
import { expiryOfUpload } from "../../domain/source-access/upload-expiry.ts";
import { isUuid } from "../../domain/uuid.ts";
import { mayChange } from "../../people/caller.ts";
import type { Batches } from "../../uploads/batch/batches.ts";
import { uploadSubmitted } from "../../uploads/file-names.ts";
import { offsetOf } from "../../uploads/offset.ts";
import type { Receiver } from "../../uploads/receiver.ts";
import type { TitledUploads } from "../../uploads/titled/titled-uploads.ts";
import type { HttpContext } from "../context.ts";
import { callerOf } from "../requests/access.ts";
import type { UploadFileView, UploadView } from "../schemas/upload.ts";

/** @throws Problem `uploads_off` */
export function requireUploads({ receiver }: Pick<HttpContext, "receiver">): Receiver {
  if (receiver === undefined) throw new Problem("uploads_off");
  return receiver;
}

/** @throws Problem `uploads_off` */
export function requireBatches({ batches }: Pick<HttpContext, "batches">): Batches {
  if (batches === undefined) throw new Problem("uploads_off");
  return batches;
}

/** @throws Problem `uploads_off` */
export function requireTitled({ titled }: Pick<HttpContext, "titled">): TitledUploads {
  if (titled === undefined) throw new Problem("uploads_off");
  return titled;
}

/** The area that the path names, if the caller may change it. @throws Problem `uploads_off`, `not_found` */
export async function requireArea(context: HttpContext, request: FastifyRequest): Promise<AreaRow> {
  requireUploads(context);
  const { id } = request.params as { id: string };
  const row = isUuid(id) ? await findArea(context.db, id) : undefined;
  if (row === undefined || !mayChange(callerOf(request), row.owner)) {
    throw new Problem("not_found", "You have no upload with this id");
  }
  return row;
}

/** @throws Problem `upload_submitted` */
export function requireOpen({ submission_id: submission }: { submission_id: string | null }): void {
  if (submission !== null) throw uploadSubmitted(submission);
}

export function addressOfFiles({ basePath }: Pick<HttpContext, "basePath">, area: string): string {
  return `${basePath}/uploads/${area}/files`;
}

export function addressOfBatches({ basePath }: Pick<HttpContext, "basePath">, area: string): string {
  return `${basePath}/uploads/${area}/batch`;
}

/** When an area expires; undefined if it does not. */
export function expiryOf(area: Pick<AreaRow, "submission_id" | "used_at" | "warned_at">): Date | undefined {
  return area.submission_id === null ? expiryOfUpload(area, new Date()) : undefined;
}

/** When an area expires to which nothing is sent after a time. */
export function expiryAfter(time: Date): Date {
  return expiryOfUpload({ used_at: time, warned_at: null }, time);
}

/** Views of uploads, with their parts. */
export async function viewAreas(context: HttpContext, rows: readonly AreaRow[]): Promise<Static<typeof UploadView>[]> {
  const parts = await partsOfAreas(
    context.db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => viewWith(context, row, parts.get(row.id) ?? { count: 0, bytes: 0 }));
}

export async function viewArea(context: HttpContext, row: AreaRow): Promise<Static<typeof UploadView>> {
  return viewWith(context, row, await partsIn(context.db, row.id));
}

function viewWith(context: HttpContext, row: AreaRow, parts: LeftParts): Static<typeof UploadView> {
  return {
    id: row.id,
    files: addressOfFiles(context, row.id),
    batch: addressOfBatches(context, row.id),
    fileCount: row.files,
    bytes: row.bytes,
    receivedBytes: row.received,
    incompleteFiles: row.incomplete,
    parts,
    revision: row.revision,
    submission: row.submission_id,
    createdAt: row.created_at.toISOString(),
    expiresAt: expiryOf(row)?.toISOString() ?? null,
  };
}

export function viewUploadFile(context: HttpContext, row: UploadFileRow): Static<typeof UploadFileView> {
  return {
    path: isPart(row) ? "" : row.path,
    bytes: row.bytes,
    receivedBytes: offsetOf(row),
    sha512: row.stated_sha512,
    digestMismatch: row.is_damaged,
    completedAt: row.completed_at?.toISOString() ?? null,
    url: `${addressOfFiles(context, row.area_id)}/${row.no}`,
  };
}

/** The file that the path names. @throws Problem `not_found` */
export async function requireFile(context: HttpContext, area: string, request: FastifyRequest): Promise<UploadFileRow> {
  const { no } = request.params as { no: string };
  const row = /^[1-9]\d{0,8}$/.test(no) ? await findFile(context.db, { area, no: Number(no) }) : undefined;
  if (row === undefined) throw noFile();
  return row;
}

export function noFile(): Problem {
  return new Problem("not_found", "The upload has no such file");
}
