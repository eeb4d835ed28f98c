import { Type } from "typebox";
import { recordVisit } from "../../../db/publication/reviewer-links.ts";
import { REVIEW_PROBLEMS } from "../../openapi/codes.ts";
import * as examples from "../../openapi/review-examples.ts";
import { documented, operation } from "../../operation.ts";
import { viewReview } from "../../review/review-view.ts";
import { requireReviewed } from "../../review/reviewed.ts";
import { optionalFlag } from "../../schemas/basics.ts";
import { LanguageQuery } from "../../schemas/page-parts.ts";
import { ReviewView } from "../../schemas/review.ts";
import { languageOf } from "../../site/send.ts";

/** Returns the version that a reviewer link opens, and counts the visit. */
export const reviewGet = operation({
  route: "GET /review",
  operationId: "getReview",
  summary: "Retrieve a dataset under review",
  description:
    "Returns the version that the reviewer link opens. The secret of the link is sent as a bearer token. An anonymous view contains no people, institutions, funders, identifiers and ids. Each request without `continued` counts as a visit.",
  tag: "Review",
  problems: REVIEW_PROBLEMS,
  querystring: Type.Object({
    ...LanguageQuery,
    continued: optionalFlag({
      description:
        "Whether the request belongs to a visit that was counted before, such as for another language of the page. Default: false.",
      examples: [true],
    }),
  }),
  response: {
    200: documented(ReviewView, { description: "The version, as reviewers see it.", example: examples.review }),
  },
  handler: async (context, request) => {
    const reviewed = await requireReviewed(context, request);
    const view = await viewReview(context, reviewed, languageOf(request));
    const isCounted = request.method === "GET" && request.query.continued !== true;
    if (isCounted) await recordVisit(context.db, reviewed.link.id);
    return view;
  },
});
