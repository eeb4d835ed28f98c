import { Type } from "typebox";
import type { HttpContext } from "../../context.ts";
import type { Server } from "../../fastify.ts";
import { answer } from "../../openapi/answer.ts";
import { contentDisposition, contentRange, ofFiles } from "../../openapi/headers.ts";
import { requireReviewed } from "../../review/reviewed.ts";
import { sendReviewedFile } from "../../review/send-reviewed.ts";
import { CONDITIONS, pathOf } from "../dataset/file.ts";

const headers = { ...ofFiles, "Content-Disposition": contentDisposition };

/** Returns a file that reviewers see. */
export function reviewFile(server: Server, context: HttpContext): void {
  server.get(
    "/review/files/*",
    {
      config: {
        problems: [
          "reviewed_withdrawn",
          "publication_off",
          "precondition_failed",
          "range_not_satisfiable",
          "archive_unreadable",
          "content_damaged",
        ],
      },
      schema: {
        operationId: "getReviewFile",
        summary: "Download a file of a dataset under review",
        description:
          "As `GET /dataset/{id}/files/{path}`, for a path from the list of files. In an anonymous view, the media type is always `application/octet-stream`.",
        tags: ["Review"],
        params: Type.Object({
          "*": Type.String({ description: "Path of the file.", examples: ["data/measurements/plot-01.csv"] }),
        }),
        headers: Type.Object(CONDITIONS),
        response: {
          200: answer(Type.String(), { description: "The file.", headers, bytes: ["*/*"] }),
          206: answer(Type.String(), {
            description: "The requested ranges of the file. Several ranges are sent as `multipart/byteranges`.",
            headers: { ...headers, "Content-Range": contentRange },
            bytes: ["*/*", "multipart/byteranges"],
          }),
          304: Type.Null({ description: "The file has not changed." }),
        },
      },
    },
    async (request, reply) => {
      const path = pathOf(request, context.basePath);
      return sendReviewedFile(context, request, reply, await requireReviewed(context, request), path);
    },
  );
}
