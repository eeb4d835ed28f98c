import type { FastifyRequest } from "fastify";
import type { AreaRow } from "../../db/uploads/areas.ts";
import { type FileRef, findFile, type UploadFileRow } from "../../db/uploads/files.ts";
import { offsetOf } from "../../uploads/offset.ts";
import type { HttpContext } from "../context.ts";
import { expiryOf, noFile, requireArea, requireFile, requireUploads } from "./areas.ts";
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

/** A file with what has arrived until now, also of a request that is still running. @throws Problem `not_found` */
export async function currentFile(context: HttpContext, ref: FileRef): Promise<UploadFileRow> {
  await requireUploads(context).flush(ref);
  const row = await findFile(context.db, ref);
  if (row === undefined) throw noFile();
  return row;
}

/** The state of a file as clients of the tus protocol read it. */
export function tusHeadersOf(area: AreaRow, row: UploadFileRow): Record<string, string | number | undefined> {
  return {
    "tus-resumable": TUS_VERSION,
    "upload-offset": offsetOf(row),
    "upload-length": row.bytes,
    "upload-metadata": row.metadata === "" ? usedMetadata(row) : row.metadata,
    "upload-expires": expiryOf(area)?.toUTCString(),
  };
}

/** The metadata that the service uses, of a file with longer ones. */
function usedMetadata({ path, stated_sha512: sha512 }: UploadFileRow): string {
  const pairs = Object.entries({ path, ...(sha512 !== null && { sha512 }) });
  return pairs.map(([key, value]) => `${key} ${Buffer.from(value, "utf8").toString("base64")}`).join(",");
}
