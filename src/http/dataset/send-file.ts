import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import { create as disposition } from "content-disposition";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Problem } from "../../domain/problems.ts";
import type { ByteRange } from "../../export/contents.ts";
import type { HttpContext } from "../context.ts";
import { readerOf } from "../requests/access.ts";
import { namesTag } from "../requests/preconditions.ts";
import { closeDownloadOnRevocation } from "../responses/close-on-revocation.ts";
import { type DatasetFile, sentTypeOf } from "./dataset-file.ts";
import { contentRange, multipartOf } from "./multipart.ts";
import { orderOf, type Version } from "./readable-version.ts";
import { linkToPage } from "./signposting/links.ts";

/** Maximum number of ranges. A header with more is ignored, as RFC 9110, section 14.2, permits. */
const MOST = 100;

const RANGES = /^bytes=([\d, \t-]+)$/i;

/**
 * Sends a whole file, one range or several ranges (RFC 9110, sections 13 and 14). `Repr-Digest` has the digest of the whole
 * file (RFC 9530). A whole file is verified against this digest while it is sent, and aborted if it does not match.
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
  const link = linkToPage(context, version, "collection");
  return sendStored(context, request, reply, { version, file, headers: { link } });
}

/** Sends a file as {@link sendFile}. @param stored.headers of a complete or partial file, besides those that it always has */
export async function sendStored(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { version, file, headers }: { version: Version; file: DatasetFile; headers: Record<string, string> },
): Promise<FastifyReply> {
  const digest = Buffer.from(file.sha512, "hex");
  const etag = `"${digest.toString("base64url")}"`;
  const precondition = preconditionOf(request.headers, etag);
  if (precondition === "failed") throw new Problem("precondition_failed");
  // Private caches may store the file and must revalidate it.
  const kept = { etag, "cache-control": "private, no-cache" };
  if (precondition === "unmodified") return reply.code(304).headers(kept).send();
  const ranges = rangesAskedFor(request, reply, file, etag);

  const { bytes } = file;
  const type = sentTypeOf(file);
  // Set only with content, so that error responses do not have these headers.
  const head = {
    ...kept,
    "content-type": type,
    ...safeHeaders(file.path.split("/").at(-1)),
    "accept-ranges": "bytes",
    "repr-digest": `sha-512=:${digest.toString("base64")}:`,
    ...headers,
  };
  const whole = { ...head, "content-length": bytes };
  if (request.method === "HEAD") return reply.headers(whole).send(Readable.from([]));
  context.limits.download(reply, readerOf(request));
  closeDownloadOnRevocation(context, request, reply, version.reader.grant);
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

/**
 * Sends a ZIP archive, which is created while it is sent.
 *
 * @param about.grant that opens the files to the reader; undefined if they need none
 * @param open starts the archive; not called for `HEAD`
 */
export async function sendZip(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { headers, grant }: { headers: Record<string, string>; grant: Version["reader"]["grant"] },
  open: () => Promise<Readable>,
): Promise<FastifyReply> {
  const head = { "content-type": "application/zip", ...headers, "accept-ranges": "none" };
  if (request.method === "HEAD") return reply.headers(head).send(Readable.from([]));
  context.limits.download(reply, readerOf(request));
  closeDownloadOnRevocation(context, request, reply, grant);
  const content = await open();
  return reply.headers(head).send(content);
}

/** Returns the requested ranges; undefined for the whole file. HEAD has no ranges (RFC 9110, section 14.2). */
function rangesAskedFor(
  { method, headers }: FastifyRequest,
  reply: FastifyReply,
  { bytes, archived }: DatasetFile,
  etag: string,
): ByteRange[] | undefined {
  if (headers.range === undefined || method === "HEAD" || !rangeCounts(headers, etag)) return undefined;
  const ranges = rangesOf(headers.range, bytes);
  // A document for the public is written again for each part.
  if (archived !== undefined && (ranges?.length ?? 0) > 1) return undefined;
  if (ranges === undefined || ranges.length > 0) return ranges;
  reply.header("content-range", `bytes */${bytes}`);
  throw new Problem("range_not_satisfiable", `The file has ${bytes} bytes`);
}

/** Headers that prevent browsers from displaying archived content as a page of this service. */
export function safeHeaders(name: string | undefined, ascii?: string): Record<string, string> {
  return {
    "content-disposition": disposition(name, ascii === undefined ? {} : { fallback: ascii }),
    "content-security-policy": "sandbox; default-src 'none'",
    "x-content-type-options": "nosniff",
  };
}

/** Evaluates the preconditions of a request for a file with this strong ETag (RFC 9110, section 13.2.2). */
function preconditionOf(headers: IncomingHttpHeaders, etag: string): "failed" | "unmodified" | "holds" {
  const ifMatch = headers["if-match"];
  if (ifMatch !== undefined && !namesTag(ifMatch, etag, "strong")) return "failed";
  const ifNoneMatch = headers["if-none-match"];
  if (ifNoneMatch !== undefined && namesTag(ifNoneMatch, etag, "weak")) return "unmodified";
  return "holds";
}

/** Whether `Range` applies: without `If-Range`, or if that is the ETag. Dates in `If-Range` never match (section 13.1.5). */
function rangeCounts(headers: IncomingHttpHeaders, etag: string): boolean {
  const ifRange = headers["if-range"];
  return ifRange === undefined || ifRange === etag;
}

/**
 * Parses a `Range` header (RFC 9110, section 14.1.2) for a file of this length. Returns the ranges in the requested order,
 * with overlapping and adjacent ranges merged. Undefined if the header must be ignored: another unit, invalid syntax or too
 * many ranges. Empty if all ranges are outside of the file. Available libraries reject a suffix that is longer than the
 * file, which is valid.
 */
export function rangesOf(header: string, bytes: number): ByteRange[] | undefined {
  const [, set] = RANGES.exec(header) ?? [];
  if (set === undefined) return undefined;
  const specs = set.split(",").map((spec) => spec.trim());
  const wanted = specs.filter((spec) => spec !== "");
  if (wanted.length === 0 || wanted.length > MOST) return undefined;
  const ranges: ByteRange[] = [];
  for (const spec of wanted) {
    const [, first, last] = /^(\d{0,16})-(\d{0,16})$/.exec(spec) ?? [];
    if (first === undefined || last === undefined || first + last === "") return undefined;
    const range = first === "" ? suffix(Number(last), bytes) : { from: Number(first), to: endOf(last, bytes) };
    if (first !== "" && last !== "" && Number(last) < Number(first)) return undefined;
    if (range.from < range.to) ranges.push(range);
  }
  return merged(ranges);
}

function suffix(length: number, bytes: number): ByteRange {
  return { from: Math.max(0, bytes - length), to: bytes };
}

function endOf(last: string, bytes: number): number {
  return last === "" ? bytes : Math.min(Number(last) + 1, bytes);
}

function merged(ranges: ByteRange[]): ByteRange[] {
  const kept: ByteRange[] = [];
  for (const range of ranges) {
    let { from, to } = range;
    // A merged range has the position of the first of its parts.
    let at = kept.length;
    for (let n = kept.length - 1; n >= 0; n--) {
      const other = kept[n] as ByteRange;
      if (other.from > to || from > other.to) continue;
      from = Math.min(from, other.from);
      to = Math.max(to, other.to);
      kept.splice(n, 1);
      at = n;
    }
    kept.splice(at, 0, { from, to });
  }
  return kept;
}
