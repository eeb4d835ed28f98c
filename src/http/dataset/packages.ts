import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { BagInfo } from "../../export/bag.ts";
import type { StoredFile } from "../../export/contents.ts";
import type { PackageFormatName } from "../../export/formats.ts";
import { callerOf } from "../access.ts";
import type { HttpContext } from "../context.ts";
import { endDownloadWithAccess } from "../long-answers.ts";
import { filesOf, markerOf } from "./files.ts";
import { safeHeaders } from "./send-file.ts";
import { addressOf, orderOf, queryOf, type Version } from "./version.ts";

/**
 * Sends files as a ZIP that is made as it goes: those of a version, or those below a folder. Where a file turns out to be
 * damaged the answer breaks off, so that there is no ZIP.
 *
 * @throws Problem as `ExportThreads.open`
 */
export async function sendPackage(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  version: Version,
  { format, prefix, name, ascii }: { format: PackageFormatName; prefix?: string; name: string; ascii?: string },
): Promise<FastifyReply> {
  const { dataset } = version;
  const head = {
    "content-type": "application/zip",
    ...safeHeaders(name, ascii),
    "accept-ranges": "none",
    link: `<${addressOf(context, dataset)}${queryOf(version)}>; rel="collection"`,
  };
  if (request.method === "HEAD") return reply.headers(head).send(Readable.from([]));
  context.limits.download(reply, callerOf(request).owner);
  endDownloadWithAccess(context, request, reply);
  const order =
    format === "bagit"
      ? {
          kind: "bag" as const,
          ...orderOf(version),
          base: `${dataset.id}/`,
          info: bagInfo(context, version),
          created: version.publishedAt,
          marker: markerOf(version),
        }
      : { kind: "zip" as const, ...orderOf(version) };
  const files: AsyncIterable<StoredFile[]> = filesOf(context, version, { prefix });
  const content = await context.exports.open(order, files);
  return reply.headers(head).send(content);
}

/** RFC 8493, section 2.2.2. Whoever made the data is in the metadata; here is who packed them. */
function bagInfo(context: HttpContext, { dataset, number, bytes, submission }: Version): BagInfo {
  return [
    ["Source-Organization", context.publisher.name],
    ["External-Description", submission.title],
    ["External-Identifier", `urn:uuid:${dataset.id}`],
    ["Internal-Sender-Identifier", `${addressOf(context, dataset)}?version=${number}`],
    ["Bagging-Date", new Date().toISOString().slice(0, 10)],
    ["Bag-Size", `${bytes} bytes`],
    ["Bag-Software-Agent", `Accession ${context.version}`],
  ];
}
