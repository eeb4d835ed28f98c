import { Type } from "typebox";
import { REVIEW_PROBLEMS } from "../../openapi/codes.ts";
import { acceptRanges, contentDisposition } from "../../openapi/headers.ts";
import { documented, operation } from "../../operation.ts";
import { requireReviewed } from "../../review/reviewed.ts";
import { sendReviewedZip } from "../../review/send-reviewed.ts";

/** Returns all files that reviewers see. */
export const reviewZip = operation({
  route: "GET /review/zip",
  operationId: "getReviewZip",
  summary: "Download all files of a dataset under review",
  description: "A ZIP archive with the files of `GET /review/files` under their paths, created during the download.",
  tag: "Review",
  problems: REVIEW_PROBLEMS,
  response: {
    200: documented(Type.String(), {
      description: "The files.",
      headers: { "Content-Disposition": contentDisposition, "Accept-Ranges": acceptRanges },
      bytes: ["application/zip"],
    }),
  },
  handler: async (context, request, reply) =>
    sendReviewedZip(context, request, reply, await requireReviewed(context, request)),
});
