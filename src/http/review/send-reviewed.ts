import type { FastifyReply, FastifyRequest } from "fastify";
import type { HttpContext } from "../context.ts";
import { orderOf } from "../dataset/readable-version.ts";
import { safeHeaders, sendStored, sendZip } from "../dataset/send-file.ts";
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
  const { version } = reviewed;
  const headers = safeHeaders(`dataset-v${version.number}.zip`);
  const order = { kind: "zip" as const, ...orderOf(version) };
  return sendZip(context, request, reply, { headers, grant: undefined }, () =>
    context.exports.open(order, reviewedFiles(context, reviewed)),
  );
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
