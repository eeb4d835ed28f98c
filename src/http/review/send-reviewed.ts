import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { HttpContext } from "../context.ts";
import { safeHeaders, sendStored } from "../dataset/send-file.ts";
import { orderOf } from "../dataset/version.ts";
import { readerOf } from "../requests/access.ts";
import { closeDownloadOnRevocation } from "../responses/close-on-revocation.ts";
import type { Reviewed } from "./reviewed.ts";
import { requireReviewedFile, reviewedFiles } from "./reviewed-files.ts";

/**
 * Sends all files that reviewers see as a ZIP archive. Neither its name nor its headers contain an id or the title.
 *
 * @throws Problem as `ExportThreads.open`
 */
export async function sendReviewedZip(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  reviewed: Reviewed,
): Promise<FastifyReply> {
  const head = {
    "content-type": "application/zip",
    ...safeHeaders(`dataset-v${reviewed.version.number}.zip`),
    "accept-ranges": "none",
  };
  if (request.method === "HEAD") return reply.headers(head).send(Readable.from([]));
  context.limits.download(reply, readerOf(request));
  closeDownloadOnRevocation(context, request, reply);
  const order = { kind: "zip" as const, ...orderOf(reviewed.version) };
  const content = await context.exports.open(order, reviewedFiles(context, reviewed));
  return reply.headers(head).send(content);
}

/** Sends a file that reviewers see. @throws Problem `not_found`, and as `sendStored` */
export async function sendReviewedFile(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  reviewed: Reviewed,
  path: string | undefined,
): Promise<FastifyReply> {
  const file = await requireReviewedFile(context, reviewed, path);
  return sendStored(context, request, reply, { version: reviewed.version, file, headers: {} });
}
