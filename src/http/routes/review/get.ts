import { recordVisit } from "../../../db/publication/reviewer-links.ts";
import type { HttpContext } from "../../context.ts";
import type { Server } from "../../fastify.ts";
import { answer } from "../../openapi/answer.ts";
import * as examples from "../../openapi/review-examples.ts";
import { viewReview } from "../../review/review-view.ts";
import { requireReviewed } from "../../review/reviewed.ts";
import { ReviewView } from "../../schemas/review.ts";

/** Returns the version that a reviewer link opens, and counts the visit. */
export function reviewGet(server: Server, context: HttpContext): void {
  server.get(
    "/review",
    {
      config: { problems: ["reviewed_withdrawn", "publication_off", "archive_unreadable", "content_damaged"] },
      schema: {
        operationId: "getReview",
        summary: "Retrieve a dataset under review",
        description:
          "Returns the version that the reviewer link opens. The secret of the link is sent as a bearer token. An anonymous view contains no people, institutions, funders, identifiers and ids. Each request counts as a visit.",
        tags: ["Review"],
        response: {
          200: answer(ReviewView, { description: "The version, as reviewers see it.", example: examples.review }),
        },
      },
    },
    async (request) => {
      const reviewed = await requireReviewed(context, request);
      const view = await viewReview(context, reviewed);
      if (request.method === "GET") await recordVisit(context.db, reviewed.link.id);
      return view;
    },
  );
}
