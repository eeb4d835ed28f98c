import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { Problem } from "../../submission/problems.ts";
import type { HttpContext, Server } from "../context.ts";
import { findFile, isFolder } from "../dataset/files.ts";
import { sendPackage } from "../dataset/packages.ts";
import { sendFile } from "../dataset/send-file.ts";
import { requireVersion, VersionQuery } from "../dataset/version.ts";
import { Bytes, DatasetParams, problems } from "../schemas.ts";

/** A file of a dataset, or a folder as a ZIP. */
export function datasetFile(server: Server, context: HttpContext): void {
  server.get(
    "/dataset/:id/files/*",
    {
      schema: {
        operationId: "getDatasetFile",
        summary: "Fetch a file or a folder",
        description:
          "The path is that of the list of files, each part percent-encoded. A file honours `Range`, `If-Range`, `If-Match` and `If-None-Match`; `Repr-Digest` has the SHA-512 of the whole. A folder is a ZIP, in which files have their whole paths. Bytes that are not those of their digest break the answer off.",
        tags: ["Datasets"],
        params: Type.Object({ ...DatasetParams.properties, "*": Type.String({ description: "Path of the file." }) }),
        querystring: Type.Object(VersionQuery),
        response: {
          200: Bytes("The file, or the folder as `application/zip`.", "application/octet-stream", "application/zip"),
          206: Bytes("Some of its bytes.", "application/octet-stream", "multipart/byteranges"),
          304: { type: "null", description: "The caller has it already." },
          ...problems,
        },
      },
    },
    async (request, reply) => {
      const path = pathOf(request, context.basePath);
      const version = await requireVersion(context, request);
      const file = path === undefined ? undefined : await findFile(context, version, path);
      if (file !== undefined) return sendFile(context, request, reply, version, file);
      const prefix = path === undefined || path.endsWith("/") ? path : `${path}/`;
      if (prefix === undefined || !(await isFolder(context, version, prefix))) {
        throw new Problem("not_found", "The dataset has no such file or folder");
      }
      const name = `${prefix.split("/").at(-2)}.zip`;
      return sendPackage(context, request, reply, version, { format: "ro-crate", prefix, name });
    },
  );
}

/** As it was sent: the router takes slashes at the end and encoded ones for others. Undefined when it cannot be decoded. */
function pathOf({ raw }: FastifyRequest, basePath: string): string | undefined {
  const [sent = ""] = (raw.url ?? "").slice(basePath.length).split(/[?#]/, 1);
  const [, path] = /^\/dataset\/[^/]+\/files\/(.+)$/s.exec(sent) ?? [];
  try {
    return path === undefined ? undefined : decodeURIComponent(path);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
