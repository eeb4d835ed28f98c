import { Type } from "typebox";
import { visibleOwner } from "../../auth/caller.ts";
import { listSubmissions, type SubmissionRow } from "../../db/submissions.ts";
import { Problem } from "../../submission/problems.ts";
import { STATUSES } from "../../submission/states.ts";
import { callerOf } from "../access.ts";
import type { HttpContext, Server } from "../context.ts";
import { linkNext, Paging } from "../paging.ts";
import { problems, SubmissionView } from "../schemas.ts";
import { showSubmissions } from "../submissions.ts";

/** The submissions that the caller may see, newest first. */
export function submissionList(server: Server, context: HttpContext): void {
  server.get(
    "/submission",
    {
      schema: {
        operationId: "listSubmissions",
        summary: "List submissions",
        tags: ["Submissions"],
        querystring: Type.Object({
          status: Type.Optional(Type.Enum([...STATUSES])),
          q: Type.Optional(Type.String({ maxLength: 1_000, description: "Part of the title, in any case." })),
          ...Paging,
        }),
        response: { 200: Type.Array(SubmissionView), ...problems },
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

/** A time and a UUID. */
const CURSOR = /^([12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

function writeCursor(row: SubmissionRow): string {
  return Buffer.from(`${row.created_at.toISOString()} ${row.id}`).toString("base64url");
}

function readCursor(cursor: string): { createdAt: Date; id: string } {
  const [, time = "", id = ""] = CURSOR.exec(Buffer.from(cursor, "base64url").toString("utf8")) ?? [];
  const createdAt = new Date(time);
  if (Number.isNaN(createdAt.getTime())) {
    throw new Problem("bad_request", "This cursor is not one that this service gave");
  }
  return { createdAt, id };
}
