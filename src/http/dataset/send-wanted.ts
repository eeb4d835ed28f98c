import type { FastifyReply, FastifyRequest } from "fastify";
import { PACKAGE_FORMATS, type PackageFormatName } from "../../export/formats.ts";
import { packageName } from "../../export/package-name.ts";
import { Problem } from "../../submission/problems.ts";
import type { HttpContext } from "../context.ts";
import { type DatasetFile, findFile, isFolder } from "./files.ts";
import { sendPackage } from "./packages.ts";
import { sendFile } from "./send-file.ts";
import type { Version } from "./version.ts";

/** What a path of a version leads to: a file, or a folder by its path with a slash at its end. */
export type Found = { file: DatasetFile } | { folder: string };

/** @throws Problem `not_found` when there is neither */
export async function requirePath(context: HttpContext, version: Version, path: string | undefined): Promise<Found> {
  const file = path === undefined ? undefined : await findFile(context, version, path);
  if (file !== undefined) return { file };
  const folder = path === undefined || path.endsWith("/") ? path : `${path}/`;
  if (folder === undefined || !(await isFolder(context, version, folder))) {
    throw new Problem("not_found", "The dataset has no such file or folder");
  }
  return { folder };
}

/** Sends a file, or a folder as a ZIP. @throws Problem as `sendFile` and `sendPackage` */
export async function sendFound(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  version: Version,
  found: Found,
): Promise<FastifyReply> {
  if ("file" in found) return sendFile(context, request, reply, version, found.file);
  const { folder: prefix } = found;
  return sendPackage(context, request, reply, version, {
    format: "ro-crate",
    prefix,
    name: `${prefix.split("/").at(-2)}.zip`,
  });
}

/** Sends all of a version, packed. @throws Problem as `sendPackage` */
export async function sendWhole(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  version: Version,
  format: PackageFormatName,
): Promise<FastifyReply> {
  const { dataset, number, submission } = version;
  const named = packageName(
    { id: dataset.id, title: submission.title, version: number },
    PACKAGE_FORMATS[format].extension,
  );
  return sendPackage(context, request, reply, version, { format, ...named });
}
