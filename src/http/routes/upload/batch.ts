import { Readable } from "node:stream";
import type { FastifyError } from "fastify";
import { Type } from "typebox";
import { Problem } from "../../../domain/problems.ts";
import type { FileAnswer } from "../../../uploads/batch/batch.ts";
import { closeAfterAnswer } from "../../lingering-close.ts";
import * as examples from "../../openapi/upload-examples.ts";
import { documented, operation, withExample } from "../../operation.ts";
import { unchecked } from "../../requests/validation.ts";
import { asProblem, bodyOf } from "../../responses/problem-answers.ts";
import { UploadBatch, UploadParams } from "../../schemas/upload.ts";
import { addressOfFiles, requireArea, requireBatches, requireOpen } from "../../upload/areas.ts";

const LINES = "application/x-ndjson";

/** Receives many small files. */
export const uploadBatch = operation({
  route: "POST /uploads/:id/batch",
  operationId: "sendUploadBatch",
  summary: "Send many small files",
  description:
    "Adds small files to an upload in one request. The response has one line for each file, sent when the file is complete and durable, or refused. A file that the upload has already with the same content is acknowledged, too. Files that were acknowledged stay if the connection breaks: send the others again. A last line without `path` states why the batch ended early.",
  tag: "Uploads",
  config: { streamed: true },
  options: unchecked,
  problems: ["uploads_off", "not_found", "upload_submitted"],
  consumes: ["multipart/form-data"],
  params: UploadParams,
  body: withExample(UploadBatch, examples.batch),
  response: {
    200: documented(Type.String(), {
      description: "A line of JSON for each file: `path`, `bytes` and `sha512`, or `path` and `problem`.",
      media: { [LINES]: examples.batchLines },
    }),
  },
  handler: async (context, request, reply) => {
    const batches = requireBatches(context);
    const area = await requireArea(context, request);
    requireOpen(area);
    if (!request.isMultipart()) throw new Problem("unsupported_media_type", "A batch is multipart/form-data");
    // The batch can end before its request.
    closeAfterAnswer(request, reply);
    // Not limited: many clients read the response after they have sent the whole request, which has at most 10,000 files.
    const lines = new Readable({ read: () => undefined });
    const say = (line: object) => lines.push(`${JSON.stringify(line)}\n`);
    let isLogged = false;
    const answer = (file: FileAnswer) => {
      if (!("problem" in file)) return say(file);
      const { path, problem } = file;
      // Once, because a full disk concerns every file.
      if (problem.status >= 500 && !isLogged) request.log.error({ err: problem }, "files of a batch were not stored");
      isLogged ||= problem.status >= 500;
      return say({ path, problem: bodyOf(problem, request.id) });
    };
    const work = batches.receive({
      area: area.id,
      owner: area.owner,
      address: addressOfFiles(context, area.id),
      contentType: request.headers["content-type"] ?? "",
      body: request.raw.iterator({ destroyOnReturn: false }),
      answer,
    });
    // What has arrived is recorded also if the client disconnects.
    request.work = work
      .catch((error: FastifyError) => say({ problem: bodyOf(asProblem(error, request), request.id) }))
      .finally(() => lines.push(null));
    return reply.type(LINES).send(lines as never);
  },
});
