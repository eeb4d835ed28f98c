import { Type } from "typebox";
import { BEGINNING, firstOf, positionIn, writePosition } from "../../dataset/files.ts";
import { REVIEW_PROBLEMS } from "../../openapi/codes.ts";
import * as examples from "../../openapi/review-examples.ts";
import { operation } from "../../operation.ts";
import { pageAnswer, pageOf, paging } from "../../responses/paging.ts";
import { requireReviewed } from "../../review/reviewed.ts";
import { reviewedFiles } from "../../review/reviewed-files.ts";
import { ReviewFileView } from "../../schemas/review.ts";

/** Default number of entries per page. */
const PAGE = 100;

/** Lists the files that reviewers see. */
export const reviewFiles = operation({
  route: "GET /review/files",
  operationId: "listReviewFiles",
  summary: "List the files of a dataset under review",
  description:
    "An anonymous view contains files of the bucket only, without those that describe the dataset, such as README and CITATION.cff.",
  tag: "Review",
  problems: REVIEW_PROBLEMS,
  querystring: Type.Object(paging(PAGE)),
  response: pageAnswer(ReviewFileView, "files", examples.reviewFile),
  handler: async (context, request, reply) => {
    const reviewed = await requireReviewed(context, request);
    const { limit = PAGE, cursor } = request.query;
    const after = cursor === undefined ? BEGINNING : positionIn(cursor);
    const first = await firstOf(reviewedFiles(context, reviewed, after), limit + 1);
    const views = first.map(({ path, bytes, sha512 }) => ({ path, bytes, sha512 }));
    return pageOf(context, request, reply, { rows: first, views, limit, cursor: writePosition });
  },
});
