import { Type } from "typebox";
import { REVIEW_PROBLEMS } from "../../openapi/codes.ts";
import { contentDisposition, contentRange, ofFiles } from "../../openapi/headers.ts";
import { documented, operation } from "../../operation.ts";
import { requireReviewed } from "../../review/reviewed.ts";
import { sendReviewedFile } from "../../review/send-reviewed.ts";
import { CONDITIONS, pathOf } from "../dataset/file.ts";

const headers = { ...ofFiles, "Content-Disposition": contentDisposition };

/** Returns a file that reviewers see. */
export const reviewFile = operation({
  route: "GET /review/files/*",
  operationId: "getReviewFile",
  summary: "Download a file of a dataset under review",
  description:
    "As `GET /dataset/{id}/files/{path}`, for a path from the list of files. In an anonymous view, the media type is always `application/octet-stream`.",
  tag: "Review",
  problems: [...REVIEW_PROBLEMS, "precondition_failed", "range_not_satisfiable"],
  params: Type.Object({
    "*": Type.String({ description: "Path of the file.", examples: ["data/measurements/plot-01.csv"] }),
  }),
  headers: Type.Object(CONDITIONS),
  response: {
    200: documented(Type.String(), { description: "The file.", headers, bytes: ["*/*"] }),
    206: documented(Type.String(), {
      description: "The requested ranges of the file. Several ranges are sent as `multipart/byteranges`.",
      headers: { ...headers, "Content-Range": contentRange },
      bytes: ["*/*", "multipart/byteranges"],
    }),
    304: Type.Null({ description: "The file has not changed." }),
  },
  handler: async (context, request, reply) => {
    const path = pathOf(request, context.basePath);
    return sendReviewedFile(context, request, reply, await requireReviewed(context, request), path);
  },
});
