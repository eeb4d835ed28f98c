import { Type } from "typebox";
import { visibleOwner } from "../../auth/caller.ts";
import { listSubmissions, type Place, placeOf, SORTS } from "../../db/submission-list.ts";
import { Problem } from "../../submission/problems.ts";
import { STATUSES } from "../../submission/states.ts";
import { callerOf } from "../access.ts";
import type { HttpContext, Server } from "../context.ts";
import { answer } from "../openapi/answer.ts";
import * as examples from "../openapi/examples.ts";
import { nextPage } from "../openapi/headers.ts";
import { linkNext, paging } from "../paging.ts";
import { SubmissionView } from "../schemas.ts";
import { showSubmissions } from "../submissions.ts";

const NEWEST_FIRST = "-created";

/** How the list is sorted, a UUID, and the place in that order. */
const CURSOR = /^(-?[a-z]+) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) (.*)$/s;

/** So many entries has a page unless told otherwise. */
const PAGE = 50;

/** The submissions that the caller may see, newest first unless sorted otherwise. */
export function submissionList(server: Server, context: HttpContext): void {
  server.get(
    "/submission",
    {
      schema: {
        operationId: "listSubmissions",
        summary: "List submissions",
        description: "Those that the caller may see, newest first unless sorted otherwise.",
        tags: ["Submissions"],
        querystring: Type.Object({
          status: Type.Optional(
            Type.Enum([...STATUSES], { description: "Only submissions of this status.", examples: ["completed"] }),
          ),
          q: Type.Optional(
            Type.String({ maxLength: 1_000, description: "Part of the title, in any case.", examples: ["moisture"] }),
          ),
          sort: Type.Optional(
            Type.Enum([...SORTS], {
              description:
                "By what the list is sorted: when they were accepted (`created`) or last changed (`updated`), title, bytes or objects. With `-` the newest, the last in the alphabet or the greatest come first.",
              default: NEWEST_FIRST,
              examples: ["-bytes"],
            }),
          ),
          ...paging(PAGE),
        }),
        response: {
          200: answer(Type.Array(SubmissionView), {
            description: "A page of them.",
            headers: { Link: nextPage },
            example: [examples.completed],
          }),
        },
      },
    },
    async (request, reply) => {
      const { status, q, sort = NEWEST_FIRST, limit = PAGE, cursor } = request.query;
      const rows = await listSubmissions(context.db, {
        owner: visibleOwner(callerOf(request)),
        status,
        q,
        sort,
        limit: limit + 1,
        after: cursor === undefined ? undefined : readCursor(cursor),
      });
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      if (rows.length > limit && last !== undefined) {
        linkNext(request, reply, context.basePath, writeCursor(placeOf(last, sort)));
      }
      return showSubmissions(context, page);
    },
  );
}

function writeCursor({ sort, id, place }: Place): string {
  return Buffer.from(`${sort} ${id} ${place}`).toString("base64url");
}

/** @throws Problem `bad_request` */
function readCursor(cursor: string): Place {
  const [, by, id = "", place = ""] = CURSOR.exec(Buffer.from(cursor, "base64url").toString("utf8")) ?? [];
  const sort = SORTS.find((one) => one === by);
  if (sort === undefined) throw new Problem("bad_request", "This cursor is not one that this service gave");
  return { sort, id, place };
}
