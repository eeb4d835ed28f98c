import { Readable } from "node:stream";
import { create as disposition } from "content-disposition";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ByteRange } from "../../export/contents.ts";
import { Problem } from "../../submission/problems.ts";
import { callerOf } from "../access.ts";
import type { HttpContext } from "../context.ts";
import { endDownloadWithAccess } from "../long-answers.ts";
import type { DatasetFile } from "./files.ts";
import { contentRange, multipartOf } from "./multipart.ts";
import { preconditionOf, rangeCounts } from "./preconditions.ts";
import { rangesOf } from "./ranges.ts";
import { addressOf, orderOf, queryOf, type Version } from "./version.ts";

/**
 * Sends a file: whole, as one range, or as several (RFC 9110, sections 13 and 14), with the digest of the whole in
 * `Repr-Digest` (RFC 9530). What is sent whole is held against that digest, and broken off where it does not hold.
 *
 * @throws Problem `precondition_failed`, `range_not_satisfiable`, and as `ExportThreads.open`
 */
export async function sendFile(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  version: Version,
  file: DatasetFile,
): Promise<FastifyReply> {
  const digest = Buffer.from(file.sha512, "hex");
  const etag = `"${digest.toString("base64url")}"`;
  const precondition = preconditionOf(request.headers, etag);
  if (precondition === "failed") throw new Problem("precondition_failed");
  // The caller’s own cache may keep it, and asks whether it may still show it.
  const kept = { etag, "cache-control": "private, no-cache" };
  if (precondition === "unmodified") return reply.code(304).headers(kept).send();
  const ranges = rangesAskedFor(request, reply, file, etag);

  const { bytes } = file;
  const type = mediaTypeOf(file);
  // Set when there is something to send: an error has none of them.
  const head = {
    ...kept,
    "content-type": type,
    ...safeHeaders(file.path.split("/").at(-1)),
    "accept-ranges": "bytes",
    "repr-digest": `sha-512=:${digest.toString("base64")}:`,
    link: `<${addressOf(context, version.dataset)}${queryOf(version)}>; rel="collection"`,
  };
  const whole = { ...head, "content-length": bytes };
  if (request.method === "HEAD") return reply.headers(whole).send(Readable.from([]));
  context.limits.download(reply, callerOf(request).owner);
  endDownloadWithAccess(context, request, reply);
  const open = (range?: ByteRange) =>
    context.exports.open({ kind: "file", ...orderOf(version), file, ...(range && { range }) });
  if (ranges === undefined) {
    const content = await open();
    return reply.headers(whole).send(content);
  }
  const [first, ...others] = ranges;
  if (first !== undefined && others.length === 0) {
    const content = await open(first);
    const part = { "content-length": first.to - first.from, "content-range": contentRange(first, bytes) };
    return reply
      .code(206)
      .headers({ ...head, ...part })
      .send(content);
  }
  const several = multipartOf(ranges, { type, bytes }, open);
  const parts = { "content-type": several.type, "content-length": several.bytes };
  return reply
    .code(206)
    .headers({ ...head, ...parts })
    .send(several.content);
}

/** Undefined for the whole file. HEAD has no ranges (RFC 9110, section 14.2). */
function rangesAskedFor(
  { method, headers }: FastifyRequest,
  reply: FastifyReply,
  { bytes }: DatasetFile,
  etag: string,
): ByteRange[] | undefined {
  if (headers.range === undefined || method === "HEAD" || !rangeCounts(headers, etag)) return undefined;
  const ranges = rangesOf(headers.range, bytes);
  if (ranges === undefined || ranges.length > 0) return ranges;
  reply.header("content-range", `bytes */${bytes}`);
  throw new Problem("range_not_satisfiable", `The file has ${bytes} bytes`);
}

/** With which no browser shows what somebody has put into a bucket as a page of this service. */
export function safeHeaders(name: string | undefined, ascii?: string): Record<string, string> {
  return {
    "content-disposition": disposition(name, ascii === undefined ? {} : { fallback: ascii }),
    "content-security-policy": "sandbox; default-src 'none'",
    "x-content-type-options": "nosniff",
  };
}

/** What came with the object, if it is a media type at all; whatever it is, it is bytes. */
export function mediaTypeOf({ contentType }: Pick<DatasetFile, "contentType">): string {
  const type = contentType?.trim() ?? "";
  return MEDIA_TYPE.test(type) && !/^multipart\//i.test(type) ? type : "application/octet-stream";
}

const TOKEN = "[A-Za-z0-9!#$&^_.+-]{1,100}";
const MEDIA_TYPE = new RegExp(`^${TOKEN}/${TOKEN}(?:\\s*;\\s*charset=[A-Za-z0-9._-]{1,40})?$`);
