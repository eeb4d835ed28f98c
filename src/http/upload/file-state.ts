import type { FastifyRequest } from "fastify";
import type { AreaRow } from "../../db/uploads/areas.ts";
import { type FileRef, findFile, type UploadFileRow } from "../../db/uploads/files.ts";
import { isPart } from "../../db/uploads/part-paths.ts";
import { withoutUndefined } from "../../domain/shape.ts";
import { concatenationOf } from "../../uploads/concatenation.ts";
import { offsetOf } from "../../uploads/offset.ts";
import type { Receiver } from "../../uploads/receiver.ts";
import type { HttpContext } from "../context.ts";
import { expiryOf, noFile, requireArea, requireFile, requireUploads } from "./areas.ts";
import { concatenationHeader, isJoined } from "./concatenation.ts";
import { TUS_VERSION } from "./tus-headers.ts";

/** The file that the path names, see {@link currentFile}. @throws Problem `not_found` */
export async function requireCurrentFile(
  context: HttpContext,
  request: FastifyRequest,
): Promise<{ area: AreaRow; row: UploadFileRow }> {
  const area = await requireArea(context, request);
  const { no } = await requireFile(context, area.id, request);
  return { area, row: await currentFile(context, { area: area.id, no }) };
}

/**
 * The file that the path names, to which no request adds bytes any more that began before. A client of the tus protocol asks before it
 * continues: the bytes of its aborted request may still arrive, and the number of bytes must not grow after the answer.
 * @throws Problem `not_found`
 */
export async function requireFinalFile(
  context: HttpContext,
  request: FastifyRequest,
): Promise<{ area: AreaRow; row: UploadFileRow }> {
  const area = await requireArea(context, request);
  const { no } = await requireFile(context, area.id, request);
  const uploads = requireUploads(context);
  const row = await uploads.finish({ area: area.id, no });
  if (row === undefined) throw noFile();
  await compareAgain(uploads, row);
  return { area, row };
}

/** A file with what has arrived until now, also of a request that is still running. @throws Problem `not_found` */
export async function currentFile(context: HttpContext, ref: FileRef): Promise<UploadFileRow> {
  const uploads = requireUploads(context);
  await uploads.flush(ref);
  const row = await findFile(context.db, ref);
  if (row === undefined) throw noFile();
  await compareAgain(uploads, row);
  return row;
}

/** A client that only asks would wait forever after the process has ended that compared a joined file. */
async function compareAgain(uploads: Receiver, row: UploadFileRow): Promise<void> {
  if (isJoined(row) && row.completed_at === null) await uploads.compareArea(row.area_id);
}

/** The state of a file as clients of the tus protocol read it. */
export function tusHeadersOf(context: HttpContext, area: AreaRow, row: UploadFileRow): Record<string, string | number> {
  const { metadata } = concatenationOf(row);
  // A header without a value would be sent as an empty one.
  return withoutUndefined<Record<string, string | number>>({
    "tus-resumable": TUS_VERSION,
    "upload-offset": offsetOf(row),
    "upload-length": row.bytes,
    "upload-metadata": metadata === "" ? usedMetadata(row) : metadata,
    "upload-concat": concatenationHeader(context, row),
    "upload-expires": expiryOf(area)?.toUTCString(),
  });
}

/** The metadata that the service uses, of a file with longer ones. */
function usedMetadata(row: UploadFileRow): string | undefined {
  if (isPart(row)) return undefined;
  const { path, stated_sha512: sha512 } = row;
  const pairs = Object.entries({ path, ...(sha512 !== null && { sha512 }) });
  return pairs.map(([key, value]) => `${key} ${Buffer.from(value, "utf8").toString("base64")}`).join(",");
}
