import type { FastifyReply, FastifyRequest } from "fastify";
import { findPublication } from "../../db/publication/publications.ts";
import { PACKAGE_FORMATS, type PackageFormatName } from "../../describe/formats/formats.ts";
import { Problem } from "../../domain/problems.ts";
import { datasetUrn } from "../../domain/uuid.ts";
import type { BagInfo } from "../../export/bag.ts";
import { packageName } from "../../export/package-name.ts";
import type { HttpContext } from "../context.ts";
import { identifierOf } from "../responses/identifier.ts";
import { countUse } from "../usage/observe-uses.ts";
import type { DatasetFile } from "./dataset-file.ts";
import { filesOf, findFile, isFolder, markerOf } from "./files.ts";
import type { Version } from "./readable-version.ts";
import { datasetUrl, orderOf } from "./readable-version.ts";
import { safeHeaders, sendFile, sendZip } from "./send-file.ts";
import { linkToPage } from "./signposting/links.ts";

/** A file, or a folder as its path with a trailing slash. */
type FoundPath = { file: DatasetFile } | { folder: string };

/** Finds the file or folder with this path. @throws Problem `not_found` if neither exists */
export async function requirePath(
  context: HttpContext,
  version: Version,
  path: string | undefined,
): Promise<FoundPath> {
  const file = path === undefined ? undefined : await findFile(context, version, path);
  if (file !== undefined) return { file };
  const folder = path === undefined || path.endsWith("/") ? path : `${path}/`;
  if (folder === undefined || !(await isFolder(context, version, folder))) {
    throw new Problem("not_found", "The dataset has no file or folder with this path");
  }
  return { folder };
}

/** Sends a file, or a folder as a ZIP archive. @throws Problem as `sendFile` and `sendPackage` */
export async function sendFound(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  version: Version,
  found: FoundPath,
): Promise<FastifyReply> {
  if ("file" in found) {
    countUse(request, version, "request", `file ${found.file.path}`);
    return sendFile(context, request, reply, version, found.file);
  }
  const { folder: prefix } = found;
  return sendPackage(context, request, reply, version, {
    format: "ro-crate",
    prefix,
    name: `${prefix.split("/").at(-2)}.zip`,
  });
}

/** Sends a package of the whole version. @throws Problem as `sendPackage` */
export async function sendWhole(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  version: Version,
  format: PackageFormatName,
): Promise<FastifyReply> {
  const { dataset, number, title } = version;
  const named = packageName({ id: dataset.id, title, version: number }, PACKAGE_FORMATS[format].extension);
  return sendPackage(context, request, reply, version, { format, ...named });
}

/**
 * Sends the files of a version or of a folder as a ZIP archive, which is created while it is sent. If a file is damaged,
 * the response is aborted, so that the client does not receive a valid archive.
 *
 * @throws Problem as `ExportThreads.open`
 */
async function sendPackage(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  version: Version,
  { format, prefix, name, ascii }: { format: PackageFormatName; prefix?: string; name: string; ascii?: string },
): Promise<FastifyReply> {
  const { dataset, reader } = version;
  countUse(request, version, "request", `${format} ${prefix ?? ""}`);
  const link = linkToPage(context, version, "collection");
  const headers = { ...safeHeaders(name, ascii), link };
  return sendZip(context, request, reply, { headers, grant: reader.grant }, async () => {
    const order =
      format === "bagit"
        ? {
            kind: "bag" as const,
            ...orderOf(version),
            base: `${dataset.id}/`,
            info: await bagInfo(context, version),
            created: version.archivedAt,
            marker: markerOf(version),
          }
        : { kind: "zip" as const, ...orderOf(version) };
    return context.exports.open(order, filesOf(context, version, { prefix }));
  });
}

/**
 * The `bag-info.txt` (RFC 8493, section 2.2.2). It names the publisher as the source; creators are in the metadata. The first
 * identifier is that of the version, the last one that of the object in the archive.
 */
async function bagInfo(context: HttpContext, { dataset, number, bytes, title }: Version): Promise<BagInfo> {
  const { identifier } = identifierOf(dataset.id, await findPublication(context.db, dataset.id, number));
  const identifiers = [...new Set([identifier, datasetUrn(dataset.id)])];
  return [
    ["Source-Organization", context.publisher.name],
    ["External-Description", title],
    ...identifiers.map((one): [string, string] => ["External-Identifier", one]),
    ["Internal-Sender-Identifier", `${datasetUrl(context, dataset)}?version=${number}`],
    ["Bagging-Date", new Date().toISOString().slice(0, 10)],
    ["Bag-Size", `${bytes} bytes`],
    ["Bag-Software-Agent", `Accession ${context.version}`],
  ];
}
