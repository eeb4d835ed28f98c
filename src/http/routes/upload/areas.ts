import { randomUUID } from "node:crypto";
import { Type } from "typebox";
import { insertArea, lockArea, markRemoved, openAreasOf, setAreaAddress } from "../../../db/uploads/areas.ts";
import { filesOf } from "../../../db/uploads/files.ts";
import { listParts } from "../../../db/uploads/parts.ts";
import { Problem } from "../../../domain/problems.ts";
import { sealAddress } from "../../../domain/sealed-address.ts";
import { statedAddress } from "../../../intake/request.ts";
import { MOST_OPEN } from "../../../uploads/file-names.ts";
import { removeArea } from "../../../uploads/remove-area.ts";
import { location, uploadLength, uploadOffset } from "../../openapi/headers.ts";
import * as examples from "../../openapi/upload-examples.ts";
import { documented, operation, withExample } from "../../operation.ts";
import { callerOf } from "../../requests/access.ts";
import {
  UploadFileParams,
  UploadFilesQuery,
  UploadFilesView,
  UploadFileView,
  UploadParams,
  UploadView,
  UploadWish,
} from "../../schemas/upload.ts";
import { requireArea, requireOpen, requireUploads, viewArea, viewAreas, viewUploadFile } from "../../upload/areas.ts";
import { requireCurrentFile, requireFinalFile, tusHeadersOf } from "../../upload/file-state.ts";

const TAG = "Uploads";

/** Creates an upload area. */
export const uploadCreate = operation({
  route: "POST /uploads",
  operationId: "createUpload",
  summary: "Create an upload",
  description:
    "Creates an empty upload. Any client of the tus protocol (https://tus.io) sends files to the address in `files`. When all are complete, submit the upload with `upload` instead of `s3Access`. Three days before an upload expires, its owner receives an e-mail: at the address in `notify`, otherwise at the one that the identity provider has verified. See docs/how-to/uploads.md.",
  tag: TAG,
  problems: ["uploads_off", "too_many_uploads", "archive_unwritable", "no_space"],
  body: Type.Optional(withExample(UploadWish, { notify: { email: "ada@example.org" } })),
  response: {
    201: documented(UploadView, {
      description: "The upload was created.",
      headers: { Location: location },
      example: { ...examples.upload, fileCount: 0, bytes: 0, receivedBytes: 0, incompleteFiles: 0, revision: 0 },
    }),
  },
  handler: async (context, request, reply) => {
    const { folder } = requireUploads(context);
    const { owner, email } = callerOf(request);
    const id = randomUUID();
    const address = statedAddress(request.body?.notify?.email) ?? email;
    const { vault, sendsMail } = context.intake;
    const sealed = sendsMail && address !== undefined ? sealAddress(vault, id, address) : undefined;
    await folder.makeArea(id);
    const row = await insertArea(context.db, { id, owner, most: MOST_OPEN, sealed });
    if (row === undefined) {
      await folder.removeArea(id);
      throw new Problem("too_many_uploads", `You have ${MOST_OPEN} uploads that were not submitted`);
    }
    reply.header("location", `${context.basePath}/uploads/${id}`);
    return viewArea(context, row);
  },
});

/** Changes who is told before an upload expires. */
export const uploadUpdate = operation({
  route: "PATCH /uploads/:id",
  operationId: "updateUpload",
  summary: "Change an upload",
  description:
    "Sets the address in `notify`, which receives an e-mail three days before the upload expires. Without `notify`, an upload of yours for which no address is known gets the one that your identity provider has verified. Does not postpone the expiry, unless an e-mail was due and was not sent, because no address was known or the mail server did not accept it: it is sent to the new address, and the upload is kept for three days from then.",
  tag: TAG,
  problems: ["uploads_off", "not_found"],
  params: UploadParams,
  body: Type.Optional(withExample(UploadWish, { notify: { email: "ada@example.org" } })),
  response: { 200: documented(UploadView, { description: "The upload.", example: examples.upload }) },
  handler: async (context, request) => {
    const { id, owner: owning } = await requireArea(context, request);
    const { owner, email } = callerOf(request);
    const stated = statedAddress(request.body?.notify?.email);
    const address = stated ?? (owner === owning ? email : undefined);
    const { vault, sendsMail } = context.intake;
    if (sendsMail && address !== undefined) {
      const isReplacing = stated !== undefined;
      await setAreaAddress(context.db, id, sealAddress(vault, id, address), { isReplacing });
    }
    return viewArea(context, await requireArea(context, request));
  },
});

/** Lists the caller's uploads that were not submitted. */
export const uploadList = operation({
  route: "GET /uploads",
  operationId: "listUploads",
  summary: "List uploads",
  description: "Returns your uploads to which files can be added, newest first.",
  tag: TAG,
  problems: ["uploads_off"],
  response: {
    200: documented(Type.Array(UploadView), { description: "The uploads.", example: [examples.upload] }),
  },
  handler: async (context, request) => {
    requireUploads(context);
    const rows = await openAreasOf(context.db, callerOf(request).owner);
    return viewAreas(context, rows);
  },
});

/** Returns an upload. */
export const uploadGet = operation({
  route: "GET /uploads/:id",
  operationId: "getUpload",
  summary: "Get an upload",
  description: "Returns an upload of yours: how much has arrived, and when it expires.",
  tag: TAG,
  problems: ["uploads_off", "not_found"],
  params: UploadParams,
  response: { 200: documented(UploadView, { description: "The upload.", example: examples.upload }) },
  handler: async (context, request) => {
    const { id } = await requireArea(context, request);
    const receiver = requireUploads(context);
    await receiver.flushArea(id);
    await receiver.compareArea(id);
    return viewArea(context, await requireArea(context, request));
  },
});

/** Deletes an upload. */
export const uploadDelete = operation({
  route: "DELETE /uploads/:id",
  operationId: "deleteUpload",
  summary: "Delete an upload",
  description: "Deletes an upload that was not submitted, with all its files. This cannot be undone.",
  tag: TAG,
  problems: ["uploads_off", "not_found", "upload_submitted"],
  params: UploadParams,
  response: { 204: Type.Null({ description: "The upload was deleted." }) },
  handler: async (context, request, reply) => {
    const { id } = await requireArea(context, request);
    await context.db.transaction().execute(async (trx) => {
      const row = await lockArea(trx, id);
      if (row === undefined) throw new Problem("not_found");
      requireOpen(row);
      await markRemoved(trx, id);
    });
    const receiver = requireUploads(context);
    const deleted = new Problem("not_found", "The upload was deleted");
    await Promise.all([receiver.interruptArea(id, deleted), context.batches?.interruptArea(id, deleted)]);
    const removing = removeArea({ db: context.db, uploads: receiver.folder }, id);
    // What is left is removed later.
    request.work = removing.catch((error: unknown) => request.log.warn({ err: error }, "an upload was not removed"));
    await request.work;
    return reply.code(204).send(null);
  },
});

/** Lists the files of an upload. */
export const uploadFiles = operation({
  route: "GET /uploads/:id/files",
  operationId: "listUploadFiles",
  summary: "List the files of an upload",
  description:
    "Returns the files of an upload by path, with the bytes that have arrived, so that a client sends only the rest. With `parts=true`, returns the parts of files that were not joined instead.",
  tag: TAG,
  problems: ["uploads_off", "not_found"],
  params: UploadParams,
  querystring: UploadFilesQuery,
  response: { 200: documented(UploadFilesView, { description: "Some files.", example: examples.uploadFiles }) },
  handler: async (context, request) => {
    const { id } = await requireArea(context, request);
    const { after, limit = 1_000, parts = false } = request.query;
    if (after?.includes("\0")) throw new Problem("bad_request", "A path contains no NUL");
    const receiver = requireUploads(context);
    await receiver.flushArea(id);
    await receiver.compareArea(id);
    const rows = await (parts ? listParts : filesOf)(context.db, id, { after, limit });
    const next = rows.length < limit ? null : (rows.at(-1)?.path ?? null);
    return { files: rows.map((row) => viewUploadFile(context, row)), next };
  },
});

/** Returns a file of an upload. */
export const uploadFile = operation({
  route: "GET /uploads/:id/files/:no",
  operationId: "getUploadFile",
  summary: "Get the state of an uploaded file",
  description:
    "Returns how much of a file has arrived. The headers are those of the tus protocol, whose clients ask with `HEAD` before they continue: `HEAD` ends a request that sends the file, and `GET` does not.",
  tag: TAG,
  problems: ["uploads_off", "not_found"],
  params: UploadFileParams,
  response: {
    200: documented(UploadFileView, {
      description: "The file.",
      headers: { "Upload-Offset": uploadOffset, "Upload-Length": uploadLength },
      example: examples.uploadFiles.files[0],
    }),
  },
  handler: async (context, request, reply) => {
    const find = request.method === "HEAD" ? requireFinalFile : requireCurrentFile;
    const { area, row } = await find(context, request);
    reply.headers(tusHeadersOf(context, area, row));
    return viewUploadFile(context, row);
  },
});
