import { Type } from "typebox";
import { visibleOwner } from "../../auth/caller.ts";
import { listSubmissions } from "../../db/submissions.ts";
import { STATUSES } from "../../submission/states.ts";
import { callerOf } from "../access.ts";
import type { HttpContext, Server } from "../context.ts";
import { answer } from "../openapi/answer.ts";
import * as examples from "../openapi/examples.ts";
import { nextPage } from "../openapi/headers.ts";
import { linkNext, Paging, readCursor, writeCursor } from "../paging.ts";
import { SubmissionView } from "../schemas.ts";
import { showSubmissions } from "../submissions.ts";

/** The submissions that the caller may see, newest first. */
export function submissionList(server: Server, context: HttpContext): void {
  server.get(
    "/submission",
    {
      schema: {
        operationId: "listSubmissions",
        summary: "List submissions",
        description: "Those that the caller may see, newest first.",
        tags: ["Submissions"],
        querystring: Type.Object({
          status: Type.Optional(Type.Enum([...STATUSES], { description: "Only these.", examples: ["completed"] })),
          q: Type.Optional(
            Type.String({ maxLength: 1_000, description: "Part of the title, in any case.", examples: ["moisture"] }),
          ),
          ...Paging,
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
      const { status, q, limit = 50, cursor } = request.query;
      const rows = await listSubmissions(context.db, {
        owner: visibleOwner(callerOf(request)),
        status,
        q,
        limit: limit + 1,
        before: cursor === undefined ? undefined : readCursor(cursor),
      });
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      if (rows.length > limit && last !== undefined) linkNext(request, reply, context.basePath, writeCursor(last));
      return showSubmissions(context, page);
    },
  );
}
