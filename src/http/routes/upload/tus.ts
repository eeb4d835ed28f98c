import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { checkQuota } from "../../../db/submissions/quota.ts";
import { type AreaRow, lockArea } from "../../../db/uploads/areas.ts";
import { stateDigests } from "../../../db/uploads/batch.ts";
import {
  deleteFile,
  type FileRef,
  fileWithPath,
  hasSha512,
  insertFile,
  type NewFile,
  type UploadFileRow,
} from "../../../db/uploads/files.ts";
import { isPart, newPartPath } from "../../../db/uploads/part-paths.ts";
import { partsIn } from "../../../db/uploads/parts.ts";
import { Problem } from "../../../domain/problems.ts";
import { concatenationOf, MOST_PARTS, withConcatenation } from "../../../uploads/concatenation.ts";
import { MOST_FILES, pathTaken, requireSha512, requireUploadPath } from "../../../uploads/file-names.ts";
import { offsetOf } from "../../../uploads/offset.ts";
import type { HttpContext } from "../../context.ts";
import type { Server } from "../../fastify.ts";
import { stopReading } from "../../responses/problem-answers.ts";
import {
  addressOfFiles,
  expiryAfter,
  noFile,
  requireArea,
  requireFile,
  requireOpen,
  requireUploads,
} from "../../upload/areas.ts";
import { concatenationIn, digestIfEmpty, isJoined, type JoinedFile, join } from "../../upload/concatenation.ts";
import { currentFile, requireFinalFile, tusHeadersOf } from "../../upload/file-state.ts";
import {
  BODY_TYPE,
  bytesIn,
  CHECKSUM_ALGORITHMS,
  checksumIn,
  EXTENSIONS,
  lengthOfBody,
  metadataIn,
  TUS_VERSION,
} from "../../upload/tus-headers.ts";

/** Longer metadata are not kept as they were sent. The longest path needs 1,368 characters in base64. */
const LONGEST_METADATA = 2_048;

/** Headers that tell clients of the protocol the abilities of the service. */
const ABILITIES = {
  "tus-resumable": TUS_VERSION,
  "tus-version": TUS_VERSION,
  "tus-extension": EXTENSIONS,
  "tus-checksum-algorithm": CHECKSUM_ALGORITHMS,
};

type Answer = (context: HttpContext, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/**
 * Files are sent by the tus protocol 1.0.0 (https://tus.io/protocols/resumable-upload), which resumes at any byte. `path` in
 * `Upload-Metadata` (or `relativePath`, `filename`, `name`) becomes the key; `sha512` in hex is compared when the file is complete.
 */
export function tus(server: Server, context: HttpContext): void {
  const hidden = { schema: { hide: true }, config: { optionsHeaders: ABILITIES } } as const;
  const streamed = { ...hidden, config: { ...hidden.config, streamed: true } } as const;
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(BODY_TYPE, (_request, payload, done) => done(null, payload));
    // Refused after the upload was found.
    scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
    scope.post("/uploads/:id/files", streamed, (request, reply) => create(context, request, reply));
    scope.patch("/uploads/:id/files/:no", streamed, (request, reply) => add(context, request, reply));
    scope.delete("/uploads/:id/files/:no", hidden, (request, reply) => remove(context, request, reply));
    scope.post("/uploads/:id/files/:no", streamed, (request, reply) => overridden(context, request, reply));
  });
}

/** Methods that clients in environments without them name in a header. */
const OVERRIDES: Record<string, Answer> = { PATCH: add, DELETE: remove, HEAD: look };

async function overridden(context: HttpContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  // First, so that the answer does not tell whether others have this upload.
  await requireSpoken(context, request, reply);
  const answer = OVERRIDES[String(request.headers["x-http-method-override"]).toUpperCase()];
  if (answer !== undefined) {
    if (answer !== add) stopReading(request, reply);
    return answer(context, request, reply);
  }
  throw new Problem("method_not_allowed", "POST needs X-HTTP-Method-Override with PATCH, DELETE or HEAD here");
}

async function create(context: HttpContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const area = await requireSpoken(context, request, reply);
  requireOpen(area);
  const type = request.headers["content-type"];
  const hasBody = type === BODY_TYPE;
  if (type !== undefined && !hasBody) throw new Problem("unsupported_media_type", `A body must be ${BODY_TYPE}`);
  const concatenation = concatenationIn(context, request.headers, area.id);
  if (typeof concatenation === "object") return createJoined(context, request, reply, concatenation.final);
  const file = concatenation === "partial" ? newPartOf(request) : newFileOf(request);
  // Before anything is created, also for a file that is sent later. A file that is continued needs space for the rest.
  const checksum = checksumIn(request.headers);
  const known = await fileWithPath(context.db, area.id, file.path);
  const missing = file.bytes - (known?.received ?? 0);
  if (missing > 0) (await requireUploads(context).folder.hold(missing)).release();
  const added = await addFile(context, area.id, file);
  const ref = { area: area.id, no: added.no };
  const row = added.writer === null ? added : await currentFile(context, ref);
  reply.headers({ location: `${addressOfFiles(context, area.id)}/${row.no}`, "upload-expires": expiry() });
  if (hasBody && row.completed_at === null && row.received === 0) {
    const received = await receive(context, ref, request, { from: 0, checksum });
    reply.header("upload-offset", received);
  } else if (hasBody || row.completed_at !== null) {
    // The file has bytes already: the client continues behind them.
    reply.header("upload-offset", offsetOf(row));
    stopReading(request, reply);
  }
  return reply.code(201).send();
}

/** Joins parts of an upload, and compares the file. */
async function createJoined(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  nos: readonly number[],
): Promise<FastifyReply> {
  const { id } = request.params as { id: string };
  if (request.body instanceof Readable) throw new Problem("bad_request", "A file that parts are joined to has no body");
  const { row, unneeded } = await join(context, id, { file: statedFileOf(request.headers), nos });
  const uploads = requireUploads(context);
  await uploads.folder.remove(id, unneeded);
  const work = uploads.compare(row);
  // It is compared also if the client disconnects.
  request.work = work;
  const received = await work;
  const location = `${addressOfFiles(context, id)}/${row.no}`;
  return reply.code(201).headers({ location, "upload-offset": received, "upload-expires": expiry() }).send();
}

/**
 * Adds a file to an upload. A file with this path, size and digest is the same one: it is continued, also on another day. If neither has a
 * digest yet, `lastModified` in the metadata tells whether it is.
 * @throws Problem `upload_path_taken`, `upload_too_many_files`, `quota_exceeded`
 */
async function addFile(context: HttpContext, id: string, file: NewFile): Promise<UploadFileRow> {
  return context.db.transaction().execute(async (trx) => {
    const area = await lockArea(trx, id);
    if (area === undefined) throw new Problem("not_found");
    requireOpen(area);
    const same = await fileWithPath(trx, id, file.path);
    if (same !== undefined) {
      // A complete file has a digest, even if its client has stated none.
      const { statedSha512: stated } = file;
      const isSame = stated === undefined ? hasSameTime(same, file) : hasSha512(same, stated);
      if (isSame && same.bytes === file.bytes) {
        if (stated !== undefined) await stateDigests(trx, area, [same.path]);
        return { ...same, stated_sha512: stated ?? same.stated_sha512 };
      }
      throw pathTaken(file.path, { file: `${addressOfFiles(context, id)}/${same.no}` });
    }
    if (area.files >= MOST_FILES) throw new Problem("upload_too_many_files");
    const objects = isPart(file) ? 0 : 1;
    if (isPart(file) && (await partsIn(trx, id)).count >= MOST_PARTS) throw new Problem("upload_too_many_parts");
    await checkQuota(trx, context.intake.quota, area.owner, { submissions: 0, objects, bytes: file.bytes });
    return insertFile(trx, area, file);
  });
}

/** Whether a file of which no digest was stated has the time of another one. */
function hasSameTime(row: UploadFileRow, file: NewFile): boolean {
  const time = timeIn(file);
  return row.stated_sha512 === null && time !== undefined && timeIn(row) === time;
}

function timeIn(file: { metadata: string }): string | undefined {
  const { metadata } = concatenationOf(file);
  return metadata === "" ? undefined : metadataIn({ "upload-metadata": metadata }).get("lastModified");
}

async function add(context: HttpContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const area = await requireSpoken(context, request, reply);
  requireOpen(area);
  const row = await requireFile(context, area.id, request);
  const { no } = row;
  if (request.headers["content-type"] !== BODY_TYPE)
    throw new Problem("unsupported_media_type", `The body must be ${BODY_TYPE}`);
  const from = bytesIn(request.headers, "upload-offset");
  // At other offsets, clients learn the right one, and wait for the comparison, as for any file.
  if (isJoined(row) && row.completed_at !== null && from === row.bytes) throw new Problem("upload_joined");
  const checksum = checksumIn(request.headers);
  const received = await receive(context, { area: area.id, no }, request, { from, checksum });
  return reply.code(204).headers({ "upload-offset": received, "upload-expires": expiry() }).send();
}

async function remove(context: HttpContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const area = await requireSpoken(context, request, reply);
  const { no } = await requireFile(context, area.id, request);
  const ref = { area: area.id, no };
  const segments = await context.db.transaction().execute(async (trx) => {
    const row = await lockArea(trx, area.id);
    if (row === undefined) throw new Problem("not_found");
    requireOpen(row);
    return deleteFile(trx, ref);
  });
  if (segments === undefined) throw noFile();
  const uploads = requireUploads(context);
  await uploads.interrupt(ref, new Problem("not_found", "The file was removed from the upload"));
  await uploads.folder.remove(
    area.id,
    segments.map(({ name }) => name),
  );
  return reply.code(204).send();
}

/** `HEAD` for clients that cannot send it. */
async function look(context: HttpContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { area, row } = await requireFinalFile(context, request);
  return reply
    .code(200)
    .headers(tusHeadersOf(context, area, row))
    .send();
}

/** The upload, for a request in the version of the protocol. @throws Problem `tus_version_unknown`, and as {@link requireArea} */
async function requireSpoken(context: HttpContext, request: FastifyRequest, reply: FastifyReply): Promise<AreaRow> {
  reply.header("tus-resumable", TUS_VERSION);
  const area = await requireArea(context, request);
  if (request.headers["tus-resumable"] === TUS_VERSION) return area;
  reply.header("tus-version", TUS_VERSION);
  throw new Problem("tus_version_unknown");
}

/** The bytes as they arrive. After an error, the connection stays open for the answer. */
function bodyOf({ body }: FastifyRequest): AsyncIterable<Uint8Array> {
  return body instanceof Readable ? body.iterator({ destroyOnReturn: false }) : NOTHING;
}

const NOTHING: AsyncIterable<Uint8Array> = { async *[Symbol.asyncIterator]() {} };

async function receive(
  context: HttpContext,
  ref: FileRef,
  request: FastifyRequest,
  { from, checksum }: { from: number; checksum: ReturnType<typeof checksumIn> },
): Promise<number> {
  const addition = { from, bytes: lengthOfBody(request.headers), body: bodyOf(request), checksum };
  const work = requireUploads(context).receive(ref, addition);
  // What has arrived is recorded also if the client disconnects.
  request.work = work;
  return work;
}

/** The area is used now. */
function expiry(): string {
  return expiryAfter(new Date()).toUTCString();
}

/** @throws Problem `bad_request`, `upload_digest_wrong` */
function newFileOf({ headers }: FastifyRequest): NewFile {
  const bytes = bytesIn(headers, "upload-length");
  const file = statedFileOf(headers);
  return { ...file, bytes, sha512: digestIfEmpty(file, bytes) };
}

/** A part that is sent on its own. Its metadata have no effect. @throws Problem `bad_request` */
function newPartOf({ headers }: FastifyRequest): NewFile {
  const bytes = bytesIn(headers, "upload-length");
  metadataIn(headers);
  const file = { path: newPartPath(), metadata: withConcatenation("partial", keptMetadata(headers)), bytes };
  return { ...file, statedSha512: undefined, sha512: digestIfEmpty({ ...file, statedSha512: undefined }, bytes) };
}

/** @throws Problem `bad_request` */
function statedFileOf(headers: FastifyRequest["headers"]): JoinedFile {
  const metadata = metadataIn(headers);
  return { path: pathOf(metadata), metadata: keptMetadata(headers), statedSha512: digestOf(metadata) };
}

function keptMetadata({ "upload-metadata": sent = "" }: FastifyRequest["headers"]): string {
  return sent.length > LONGEST_METADATA ? "" : String(sent);
}

/** The first of these names that is stated. @throws Problem `bad_request` */
function pathOf(metadata: Map<string, string>): string {
  const name = metadata.get("filename") ?? metadata.get("name");
  let folderPath = metadata.get("relativePath");
  // Uppy sends “null”, and others nothing, for a file that was chosen without a folder.
  if (name !== undefined && (folderPath === "null" || folderPath === "")) folderPath = undefined;
  const path = metadata.get("path") ?? folderPath ?? name;
  if (path === undefined) throw new Problem("bad_request", "Upload-Metadata must state the path of the file as “path”");
  return requireUploadPath(path);
}

/** @throws Problem `bad_request` */
function digestOf(metadata: Map<string, string>): string | undefined {
  const stated = metadata.get("sha512");
  return stated === undefined ? undefined : requireSha512(stated);
}
