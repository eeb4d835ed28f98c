import { REVIEW_PROBLEMS } from "../../openapi/codes.ts";
import { documented, operation, withExample } from "../../operation.ts";
import { requireReviewed } from "../../review/reviewed.ts";
import { requireReviewedFile } from "../../review/reviewed-files.ts";
import { closedObject, optionalText } from "../../schemas/basics.ts";
import { DownloadLink, storeDownload } from "../dataset/download-link.ts";

/** Creates a link with which a reviewer's browser saves a file or all files. */
export const reviewDownloadLink = operation({
  route: "POST /review/download-link",
  operationId: "createReviewDownloadLink",
  summary: "Create a download link for a reviewer",
  description:
    "As `POST /dataset/{id}/download-link`, for what the reviewer link opens: a file, or without `path` all files as a ZIP archive. The link works once, within one minute, while the reviewer link can be used.",
  tag: "Review",
  problems: [...REVIEW_PROBLEMS, "not_found"],
  body: withExample(
    closedObject("ReviewDownloadRequest", "The content of the download.", {
      path: optionalText({ minLength: 1, maxLength: 4_096, description: "Path of a file, not encoded." }),
    }),
    { path: "data/measurements/plot-01.csv" },
  ),
  response: {
    201: documented(DownloadLink, {
      description: "The download link.",
      example: { url: `/download/${"x".repeat(43)}`, expiresAt: "2026-06-01T08:01:00.000Z" },
    }),
  },
  handler: async (context, request) => {
    const reviewed = await requireReviewed(context, request);
    const { path = null } = request.body;
    if (path !== null) await requireReviewedFile(context, reviewed, path);
    const { link, version } = reviewed;
    const stored = await storeDownload(context, link.expires_at, {
      ...{ owner: null, roles: [], token_id: null, grant_id: null, reviewer_link_id: link.id },
      ...{ dataset_id: version.dataset.id, version: version.number, path, format: null },
    });
    return stored;
  },
});
