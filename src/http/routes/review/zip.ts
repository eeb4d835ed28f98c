import { Type } from "typebox";
import type { HttpContext } from "../../context.ts";
import type { Server } from "../../fastify.ts";
import { answer } from "../../openapi/answer.ts";
import { acceptRanges, contentDisposition } from "../../openapi/headers.ts";
import { requireReviewed } from "../../review/reviewed.ts";
import { sendReviewedZip } from "../../review/send-reviewed.ts";

/** Returns all files that reviewers see. */
export function reviewZip(server: Server, context: HttpContext): void {
  server.get(
    "/review/zip",
    {
      config: { problems: ["reviewed_withdrawn", "publication_off", "archive_unreadable", "content_damaged"] },
      schema: {
        operationId: "getReviewZip",
        summary: "Download all files of a dataset under review",
        description:
          "A ZIP archive with the files of `GET /review/files` under their paths, created during the download.",
        tags: ["Review"],
        response: {
          200: answer(Type.String(), {
            description: "The files.",
            headers: { "Content-Disposition": contentDisposition, "Accept-Ranges": acceptRanges },
            bytes: ["application/zip"],
          }),
        },
      },
    },
    async (request, reply) => sendReviewedZip(context, request, reply, await requireReviewed(context, request)),
  );
}
