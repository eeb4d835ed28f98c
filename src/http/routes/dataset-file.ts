import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { HttpContext } from "../context.ts";
import { requirePath, sendFound } from "../dataset/send-path.ts";
import { requireVersion, VersionQuery } from "../dataset/version.ts";
import type { Server } from "../fastify.ts";
import { answer } from "../openapi/answer.ts";
import { contentDisposition, contentRange, links, ofFiles } from "../openapi/headers.ts";
import { DatasetParams } from "../schemas.ts";

const headers = { ...ofFiles, "Content-Disposition": contentDisposition, Link: links };

/** RFC 9110, sections 13 and 14. */
const CONDITIONS = {
  range: Type.Optional(Type.String({ description: "Which bytes are wanted.", examples: ["bytes=0-1023"] })),
  "if-range": Type.Optional(
    Type.String({
      description: "The range only if this is the ETag; else all.",
      examples: ['"T40Yw0mXc1dXwFq2k8v1Zg"'],
    }),
  ),
  "if-match": Type.Optional(Type.String({ description: "Only if this is the ETag; else 412.", examples: ["*"] })),
  "if-none-match": Type.Optional(
    Type.String({ description: "Only if this is not the ETag; else 304.", examples: ['"T40Yw0mXc1dXwFq2k8v1Zg"'] }),
  ),
};

/** A file of a dataset, or a folder as a ZIP. */
export function datasetFile(server: Server, context: HttpContext): void {
  server.get(
    "/dataset/:id/files/*",
    {
      config: {
        problems: [
          "dataset_withdrawn",
          "precondition_failed",
          "range_not_satisfiable",
          "archive_unreadable",
          "content_damaged",
        ],
      },
      schema: {
        operationId: "getDatasetFile",
        summary: "Fetch a file or a folder",
        description:
          "The path is that of the list of files, each part percent-encoded. A file honours `Range`, `If-Range`, `If-Match` and `If-None-Match`; `Repr-Digest` has the SHA-512 of the whole. A folder is a ZIP, in which files have their whole paths. Bytes that are not those of their digest break the answer off.",
        tags: ["Datasets"],
        params: Type.Object({
          ...DatasetParams.properties,
          "*": Type.String({ description: "Path of the file or folder.", examples: ["data/measurements/plot-01.csv"] }),
        }),
        querystring: Type.Object(VersionQuery),
        headers: Type.Object(CONDITIONS),
        response: {
          200: answer(Type.String(), {
            description: "The file, of the media type that the source named; or the folder.",
            headers,
            bytes: ["*/*", "application/zip"],
          }),
          206: answer(Type.String(), {
            description: "Some of its bytes; several ranges as `multipart/byteranges`.",
            headers: { ...headers, "Content-Range": contentRange },
            bytes: ["*/*", "multipart/byteranges"],
          }),
          304: Type.Null({ description: "The caller has it already." }),
        },
      },
    },
    async (request, reply) => {
      const path = pathOf(request, context.basePath);
      const version = await requireVersion(context, request);
      return sendFound(context, request, reply, version, await requirePath(context, version, path));
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
