import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { checkQuota } from "../../db/submissions/quota.ts";
import type { Trx } from "../../db/submissions/submissions.ts";
import { type AreaRow, lockArea } from "../../db/uploads/areas.ts";
import { stateDigests } from "../../db/uploads/batch.ts";
import { deleteFile, fileWithPath, hasSha512, type NewFile, type UploadFileRow } from "../../db/uploads/files.ts";
import { isPart } from "../../db/uploads/part-paths.ts";
import { filesByNumber, joinParts } from "../../db/uploads/parts.ts";
import { inMessage } from "../../domain/in-message.ts";
import { Problem } from "../../domain/problems.ts";
import { type Concatenation, concatenationOf, MOST_JOINED, withConcatenation } from "../../uploads/concatenation.ts";
import { MOST_FILES, pathTaken } from "../../uploads/file-names.ts";
import type { HttpContext } from "../context.ts";
import { addressOfFiles, requireOpen } from "./areas.ts";

/**
 * What a request says in `Upload-Concat` about a file of this upload.
 * @throws Problem `bad_request`; `not_found` for a part that is not one of this upload
 */
export function concatenationIn(
  context: HttpContext,
  headers: IncomingHttpHeaders,
  area: string,
): Concatenation | undefined {
  const text = headers["upload-concat"];
  if (text === undefined) return undefined;
  if (text === "partial") return "partial";
  const [, list] = /^final;(.*)$/.exec(String(text)) ?? [];
  const addresses = list?.split(" ").filter((address) => address !== "") ?? [];
  if (addresses.length === 0 || addresses.length > MOST_JOINED) {
    const form = `“partial”, or “final;” and the addresses of 1 to ${MOST_JOINED} parts`;
    throw new Problem("bad_request", `Upload-Concat must be ${form}`);
  }
  const final = addresses.map((address) => numberIn(context, area, address));
  if (new Set(final).size < final.length) throw new Problem("bad_request", "Upload-Concat names a part twice");
  return { final };
}

/** The number of a part of this upload. Parts of other uploads are not distinguished from those that do not exist. */
function numberIn(context: HttpContext, area: string, address: string): number {
  // Clients send the address as they have received it, or made absolute. A proxy may have another host.
  const path = URL.parse(address, "http://any/")?.pathname ?? "";
  const folder = `${addressOfFiles(context, area)}/`;
  const no = path.startsWith(folder) ? path.slice(folder.length) : "";
  if (!/^[1-9]\d{0,8}$/.test(no)) throw noPart();
  return Number(no);
}

/** `Upload-Concat` of the answer about a file; undefined if it was sent as a whole, or is sent as a whole again. */
export function concatenationHeader(context: HttpContext, row: UploadFileRow): string | undefined {
  const { concatenation } = concatenationOf(row);
  if (concatenation === undefined || concatenation === "partial") return concatenation;
  if (row.received < row.bytes) return undefined;
  const folder = addressOfFiles(context, row.area_id);
  return `final;${concatenation.final.map((no) => `${folder}/${no}`).join(" ")}`;
}

/** Whether the bytes of a file are those of parts, so that none can be added. */
export function isJoined(row: UploadFileRow): boolean {
  const { concatenation } = concatenationOf(row);
  return typeof concatenation === "object" && row.received === row.bytes;
}

/** What a client states about the file that parts are joined to. Its size is that of the parts. */
export type JoinedFile = Pick<NewFile, "path" | "metadata" | "statedSha512">;

/** A file to which parts were joined. */
interface Joined {
  row: UploadFileRow;
  /** Names of stored files that are no longer needed: the upload had the file already, and its client has sent the parts again. */
  unneeded: string[];
}

/**
 * Joins parts of an upload in their order. The same request can be repeated, also with parts that were sent again: the file with the same
 * digest and size is kept, and they are deleted. A file without any bytes is replaced.
 * @throws Problem `not_found`, `bad_request`, `upload_incomplete`, `upload_path_taken`, `upload_too_many_files`, `quota_exceeded`,
 * `upload_digest_wrong` of an empty file
 */
export async function join(
  context: HttpContext,
  id: string,
  { file, nos }: { file: JoinedFile; nos: readonly number[] },
): Promise<Joined> {
  return context.db.transaction().execute(async (trx) => {
    const area = await lockArea(trx, id);
    if (area === undefined) throw new Problem("not_found");
    requireOpen(area);
    const same = await fileWithPath(trx, id, file.path);
    if (same !== undefined && isJoinedFrom(same, { file, nos })) return { row: same, unneeded: [] };
    const known = await filesByNumber(trx, id, nos);
    const parts = nos.map((no) => requireCompletePart(known.get(no)));
    const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
    const sha512 = digestIfEmpty(file, bytes);
    if (same !== undefined && !isEmptied(same)) {
      const isSame = file.statedSha512 !== undefined && hasSha512(same, file.statedSha512);
      if (isSame && same.bytes === bytes && same.received === bytes) return instead(trx, area, { row: same, parts });
      throw pathTaken(file.path, { file: `${addressOfFiles(context, id)}/${same.no}` });
    }
    if (same !== undefined) await deleteFile(trx, { area: id, no: same.no });
    else if (area.files >= MOST_FILES) throw new Problem("upload_too_many_files");
    await checkQuota(trx, context.intake.quota, area.owner, { submissions: 0, objects: 1, bytes: 0 });
    const metadata = withConcatenation({ final: nos }, file.metadata);
    return { row: await joinParts(trx, area, { file: { ...file, metadata, bytes, sha512 }, parts }), unneeded: [] };
  });
}

/** Whether a file has no bytes, for instance because they did not have its digest. */
function isEmptied({ received, completed_at }: UploadFileRow): boolean {
  return received === 0 && completed_at === null;
}

/** Deletes parts that have the same bytes as a file. */
async function instead(
  trx: Trx,
  area: AreaRow,
  { row, parts }: { row: UploadFileRow; parts: readonly UploadFileRow[] },
): Promise<Joined> {
  const unneeded: string[] = [];
  for (const { no } of parts) {
    for (const { name } of (await deleteFile(trx, { area: area.id, no })) ?? []) unneeded.push(name);
  }
  await stateDigests(trx, area, [row.path]);
  return { row, unneeded };
}

/** Whether the file is the result of the same request. */
function isJoinedFrom(
  row: UploadFileRow,
  { file: { statedSha512 }, nos }: { file: JoinedFile; nos: readonly number[] },
): boolean {
  const { concatenation } = concatenationOf(row);
  const isSame = statedSha512 === undefined || hasSha512(row, statedSha512);
  return isSame && isJoined(row) && typeof concatenation === "object" && concatenation.final.join() === nos.join();
}

function requireCompletePart(part: UploadFileRow | undefined): UploadFileRow {
  if (part === undefined) throw noPart();
  if (!isPart(part)) throw new Problem("bad_request", "Only parts can be joined, and no files");
  // After a crash, a part that has all its bytes is not noted as complete.
  if (part.received === part.bytes) return part;
  const detail = `Part ${part.no} has ${part.received} of ${part.bytes} bytes`;
  throw new Problem("upload_incomplete", detail);
}

function noPart(): Problem {
  return new Problem("not_found", "The upload has no such part");
}

/** @throws Problem `upload_digest_wrong` */
export function digestIfEmpty({ path, statedSha512 }: JoinedFile, bytes: number): string | undefined {
  if (bytes > 0) return undefined;
  const sha512 = createHash("sha512").digest("hex");
  if (statedSha512 === undefined || statedSha512 === sha512) return sha512;
  throw new Problem("upload_digest_wrong", `“${inMessage(path)}” is empty, and its digest is that of other bytes`);
}
