import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { create as disposition } from "content-disposition";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ByteRange } from "../../export/contents.ts";
import { Problem } from "../../submission/problems.ts";
import { callerOf } from "../access.ts";
import type { HttpContext } from "../context.ts";
import type { DatasetFile } from "./files.ts";
import { preconditionOf, rangeCounts } from "./preconditions.ts";
import { rangesOf } from "./ranges.ts";
import { addressOf, orderOf, type Version } from "./version.ts";

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
  if (precondition === "unmodified")
    return reply
      .code(304)
      .headers({ etag, ...CACHED })
      .send();
  const ranges = rangesAskedFor(request, reply, file, etag);

  const head = {
    etag,
    ...CACHED,
    ...safeHeaders(file.path.split("/").at(-1)),
    "accept-ranges": "bytes",
    "repr-digest": `sha-512=:${digest.toString("base64")}:`,
    link: `<${addressOf(context, version.dataset)}>; rel="collection"`,
  };
  const type = mediaTypeOf(file);
  const { bytes } = file;
  if (request.method === "HEAD") {
    return reply
      .headers({ ...head, "content-length": bytes })
      .type(type)
      .send(Readable.from([]));
  }
  context.limits.download(reply, callerOf(request).owner);
  const order = { kind: "file" as const, ...orderOf(version), file };
  if (ranges === undefined) {
    const content = await context.exports.open(order);
    return reply
      .headers({ ...head, "content-length": bytes })
      .type(type)
      .send(content);
  }
  const [first, ...others] = ranges;
  if (first !== undefined && others.length === 0) {
    const content = await context.exports.open({ ...order, range: first });
    const part = { "content-length": first.to - first.from, "content-range": contentRange(first, bytes) };
    return reply
      .code(206)
      .headers({ ...head, ...part })
      .type(type)
      .send(content);
  }
  const boundary = randomUUID();
  const parts = ranges.map((range) => ({
    range,
    head: `\r\n--${boundary}\r\nContent-Type: ${type}\r\nContent-Range: ${contentRange(range, bytes)}\r\n\r\n`,
  }));
  const tail = `\r\n--${boundary}--\r\n`;
  const length = parts.reduce((sum, { range, head }) => sum + head.length + range.to - range.from, tail.length);
  async function* multipart(): AsyncGenerator<Uint8Array> {
    for (const { range, head } of parts) {
      yield Buffer.from(head, "latin1");
      yield* await context.exports.open({ ...order, range });
    }
    yield Buffer.from(tail, "latin1");
  }
  return reply
    .code(206)
    .headers({ ...head, "content-length": length })
    .type(`multipart/byteranges; boundary=${boundary}`)
    .send(Readable.from(multipart(), { objectMode: false }));
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

function contentRange({ from, to }: ByteRange, bytes: number): string {
  return `bytes ${from}-${to - 1}/${bytes}`;
}

/** The caller’s own cache may keep it, and asks whether it may still show it. */
const CACHED = { "cache-control": "private, no-cache" };

/** With which no browser shows what somebody has put into a bucket as a page of this service. */
export function safeHeaders(name: string | undefined): Record<string, string> {
  return {
    "content-disposition": disposition(name),
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
