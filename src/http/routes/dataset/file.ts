import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { requireFiles, requireVersion, VersionQuery } from "../../dataset/readable-version.ts";
import { requirePath, sendFound } from "../../dataset/send-path.ts";
import { FILE_PROBLEMS } from "../../openapi/codes.ts";
import { contentDisposition, contentRange, links, ofFiles } from "../../openapi/headers.ts";
import { documented, operation } from "../../operation.ts";
import { DatasetParams, optionalText } from "../../schemas.ts";

const headers = { ...ofFiles, "Content-Disposition": contentDisposition, Link: links };

/** RFC 9110, sections 13 and 14. */
export const CONDITIONS = {
  range: optionalText({ description: "Ranges of bytes to return.", examples: ["bytes=0-1023"] }),
  "if-range": optionalText({
    description: "Returns the range only if the ETag is equal to this one; otherwise the whole file.",
    examples: ['"T40Yw0mXc1dXwFq2k8v1Zg"'],
  }),
  "if-match": optionalText({ description: "Returns 412 unless the ETag is equal to this one.", examples: ["*"] }),
  "if-none-match": optionalText({
    description: "Returns 304 if the ETag is equal to this one.",
    examples: ['"T40Yw0mXc1dXwFq2k8v1Zg"'],
  }),
};

/** Returns a file of a dataset, or a folder as a ZIP archive. */
export const datasetFile = operation({
  route: "GET /dataset/:id/files/*",
  operationId: "getDatasetFile",
  summary: "Download a file or a folder",
  description:
    "The path is a path from the list of files, or a folder of such paths, with each segment percent-encoded. For files, `Range`, `If-Range`, `If-Match` and `If-None-Match` are supported, and `Repr-Digest` contains the SHA-512 of the whole file. A folder is returned as a ZIP archive, in which files have their full paths. If the content does not match its digest, the service aborts the response.",
  tag: "Datasets",
  problems: [...FILE_PROBLEMS, "precondition_failed", "range_not_satisfiable"],
  params: Type.Object({
    ...DatasetParams.properties,
    "*": Type.String({ description: "Path of the file or folder.", examples: ["data/measurements/plot-01.csv"] }),
  }),
  querystring: Type.Object(VersionQuery),
  headers: Type.Object(CONDITIONS),
  response: {
    200: documented(Type.String(), {
      description: "The file with the media type that the source stated, or the folder as a ZIP archive.",
      headers,
      bytes: ["*/*", "application/zip"],
    }),
    206: documented(Type.String(), {
      description: "The requested ranges of the file. Several ranges are sent as `multipart/byteranges`.",
      headers: { ...headers, "Content-Range": contentRange },
      bytes: ["*/*", "multipart/byteranges"],
    }),
    304: Type.Null({ description: "The file has not changed." }),
  },
  handler: async (context, request, reply) => {
    const path = pathOf(request, context.basePath);
    const version = await requireVersion(context, request);
    requireFiles(version);
    return sendFound(context, request, reply, version, await requirePath(context, version, path));
  },
});

/**
 * The path of the request, decoded from its raw address, because the router changes trailing and encoded slashes.
 * Undefined if it cannot be decoded.
 */
export function pathOf({ raw }: FastifyRequest, basePath: string): string | undefined {
  const [sent = ""] = (raw.url ?? "").slice(basePath.length).split(/[?#]/, 1);
  const [, path] = /^\/(?:dataset\/[^/]+|review)\/(?:files|preview)\/(.+)$/s.exec(sent) ?? [];
  try {
    return path === undefined ? undefined : decodeURIComponent(path);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
