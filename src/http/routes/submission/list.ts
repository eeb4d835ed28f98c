import { Type } from "typebox";
import { type ListPosition, listSubmissions, positionOf, SORTS } from "../../../db/submissions/list.ts";
import { STATUSES } from "../../../domain/submission/states.ts";
import * as examples from "../../openapi/examples.ts";
import { operation } from "../../operation.ts";
import { filters, invalidCursor, ownerOf, pageAnswer, pageOf, paging, timeOf } from "../../responses/paging.ts";
import { submissionEntries } from "../../responses/submissions.ts";
import { SubmissionEntry } from "../../schemas.ts";

const NEWEST_FIRST = "-created";

/** Sort order, UUID of the last entry, and its value in that order. */
const CURSOR = /^(-?[a-z]+) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) (.*)$/s;

/** Default number of entries per page. */
const PAGE = 50;

/** Lists the submissions that the caller may see, newest first by default. */
export const submissionList = operation({
  route: "GET /submission",
  operationId: "listSubmissions",
  summary: "List submissions",
  description:
    "Returns the submissions that the caller may see, newest first by default. Entries have a limited size, and a page can have fewer than `limit` of them.",
  tag: "Submissions",
  querystring: Type.Object({
    status: Type.Optional(
      Type.Enum([...STATUSES], { description: "Only submissions with this status.", examples: ["completed"] }),
    ),
    ...filters,
    sort: Type.Optional(
      Type.Enum([...SORTS], {
        description:
          "Sort order: time of acceptance (`created`), time of the last change (`updated`), `title`, `bytes` or `objects`. A leading `-` reverses the order, so that the newest or largest come first.",
        default: NEWEST_FIRST,
        examples: ["-bytes"],
      }),
    ),
    ...paging(PAGE),
  }),
  response: pageAnswer(SubmissionEntry, "submissions", examples.entry),
  handler: async (context, request, reply) => {
    const { owner, status, q, updatedAfter, sort = NEWEST_FIRST, limit = PAGE, cursor } = request.query;
    const rows = await listSubmissions(context.db, {
      owner: ownerOf(request, owner),
      status,
      q,
      updatedAfter: timeOf(updatedAfter),
      sort,
      limit: limit + 1,
      after: cursor === undefined ? undefined : readCursor(cursor),
    });
    const views = await submissionEntries(context, rows);
    return pageOf(context, request, reply, { rows, views, limit, cursor: (row) => writeCursor(positionOf(row, sort)) });
  },
});

function writeCursor({ sort, id, place }: ListPosition): string {
  return Buffer.from(`${sort} ${id} ${place}`).toString("base64url");
}

/** @throws Problem `bad_request` */
function readCursor(cursor: string): ListPosition {
  const [, by, id = "", place = ""] = CURSOR.exec(Buffer.from(cursor, "base64url").toString("utf8")) ?? [];
  const sort = SORTS.find((one) => one === by);
  if (sort === undefined) throw invalidCursor();
  return { sort, id, place };
}
