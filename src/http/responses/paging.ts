import type { FastifyReply, FastifyRequest } from "fastify";
import { type TSchema, Type } from "typebox";
import { Problem } from "../../domain/problems.ts";
import { invalid } from "../../intake/request.ts";
import { maySee, visibleOwner } from "../../people/caller.ts";
import type { HttpContext } from "../context.ts";
import { nextPage } from "../openapi/headers.ts";
import type { ResponseDocumentation } from "../openapi/response-documentation.ts";
import { documented } from "../operation.ts";
import { callerOf } from "../requests/access.ts";
import { optionalInteger, optionalText } from "../schemas/basics.ts";

const EARLIEST = Date.parse("0001-01-01T00:00:00Z");

const LATEST = Date.parse("9999-12-31T23:59:59.999Z");

/** Query parameters of a paged list. @param size the default number of entries per page */
export const paging = (size: number) => ({
  limit: optionalInteger({
    minimum: 1,
    maximum: 1_000,
    default: size,
    description: "Maximum number of entries per page.",
    examples: [50],
  }),
  cursor: optionalText({ maxLength: 1_000, description: "Cursor from the `Link` header of the previous page." }),
});

/** The response with a page of a list. @param of name of the entries */
export function pageAnswer<Entry extends TSchema>(
  entry: Entry,
  of: string,
  example: unknown,
  more?: Partial<ResponseDocumentation>,
) {
  const about = { description: `A page of ${of}.`, headers: { Link: nextPage }, example: [example], ...more };
  return { 200: documented(Type.Array(entry), about) };
}

/** Maximum size of a page as JSON. A page of large entries has fewer of them than its limit. */
const MOST_BYTES = 4 * 2 ** 20;

/** Entries of a page, and the row of the last entry if more entries follow. */
export interface Page<Row, View> {
  entries: View[];
  next: Row | undefined;
}

/**
 * Returns the entries that fit on a page, at least one.
 *
 * @param rows one row more than the limit if more entries follow
 */
export function fitPage<Row, View>(rows: readonly Row[], views: readonly View[], limit: number): Page<Row, View> {
  let bytes = 0;
  let fitting = 0;
  for (const view of views.slice(0, limit)) {
    bytes += Buffer.byteLength(JSON.stringify(view));
    if (fitting > 0 && bytes > MOST_BYTES) break;
    fitting += 1;
  }
  return { entries: views.slice(0, fitting), next: fitting < rows.length ? rows[fitting - 1] : undefined };
}

/**
 * Returns the entries that fit on a page, and adds the link to the next page to the response.
 *
 * @param page.rows one row more than the limit if more entries follow
 * @param page.cursor the cursor that continues after a row
 */
export function pageOf<Row, View>(
  { basePath }: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  {
    rows,
    views,
    limit,
    cursor,
  }: {
    rows: readonly Row[];
    views: readonly View[];
    limit: number;
    cursor: (row: Row) => string;
  },
): View[] {
  const { entries, next } = fitPage(rows, views, limit);
  if (next !== undefined) linkNext(request, reply, basePath, cursor(next));
  return entries;
}

/** Query parameters that filter the entries that the caller may see. */
export const filters = {
  owner: optionalText({
    maxLength: 2_000,
    description: "Only entries of this owner. For curators and admins.",
    examples: ["josiah"],
  }),
  updatedAfter: optionalText({
    format: "date-time",
    maxLength: 40,
    description: "Only entries that changed after this time (ISO 8601 with a time zone).",
    examples: ["2026-11-01T00:00:00Z"],
  }),
  q: optionalText({
    maxLength: 1_000,
    description:
      "Search text: a part of the title, or the beginnings of words that all occur in the title, description, subjects or authors (names, affiliations, ORCID iDs). Case and diacritics are ignored.",
    examples: ["moisture"],
  }),
};

/**
 * Returns the owner whose entries a list contains; undefined for all owners.
 * @throws Problem `forbidden` if the caller requests an owner whose entries they may not see
 */
export function ownerOf(request: FastifyRequest, owner: string | undefined): string | undefined {
  const caller = callerOf(request);
  if (owner === undefined) return visibleOwner(caller);
  if (!maySee(caller, owner))
    throw new Problem("forbidden", "Only users with the role curator or admin can list the entries of other owners");
  return owner;
}

/** @throws Problem `invalid_request` for a time that does not exist or is outside of the UTC years 1 to 9999 */
export function timeOf(updatedAfter: string | undefined): Date | undefined {
  if (updatedAfter === undefined) return undefined;
  const time = timeIn(updatedAfter);
  if (time !== undefined) return time;
  const detail = "A date and time in the UTC years 1 to 9999 is required.";
  throw invalid([{ pointer: "/updatedAfter", code: "wrong_value", detail }], []);
}

/** Adds the link to the next page to the response (RFC 8288). */
export function linkNext(request: FastifyRequest, reply: FastifyReply, basePath: string, cursor: string): void {
  const url = new URL(request.url, "http://service");
  url.searchParams.set("cursor", cursor);
  const path = url.pathname.startsWith(basePath) ? url.pathname : `${basePath}${url.pathname}`;
  reply.header("link", `<${path}${url.search}>; rel="next"`);
}

/** The problem of a cursor that no list has returned. */
export function invalidCursor(): Problem {
  return new Problem("bad_request", "The cursor is invalid. Use the one from the Link header of the previous page");
}

/** Returns a cursor that has this form. @throws Problem `bad_request` */
export function requireCursor(cursor: string, form: RegExp): string {
  if (form.test(cursor)) return cursor;
  throw invalidCursor();
}

/** Position in a list that is sorted newest first. */
interface Cursor {
  createdAt: Date;
  /** Number of the event that the entry is about; 0 if none. */
  event: number;
  id: string;
}

/** Time, event number and UUID. */
const CURSOR = /^([12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (\d{1,9}) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** The cursor that continues after this entry. */
export function writeCursor(after: { created_at: Date; event?: number | null; id: string }): string {
  const { created_at, event, id } = after;
  return Buffer.from(`${created_at.toISOString()} ${event ?? 0} ${id}`).toString("base64url");
}

/** @throws Problem `bad_request` */
export function readCursor(cursor: string): Cursor {
  const [, time = "", event, id = ""] = CURSOR.exec(Buffer.from(cursor, "base64url").toString("utf8")) ?? [];
  const createdAt = new Date(time);
  if (Number.isNaN(createdAt.getTime())) throw invalidCursor();
  return { createdAt, event: Number(event), id };
}

/**
 * Parses an ISO 8601 date-time with a time zone. Returns undefined for a time that does not exist, such as a leap second,
 * and for a time outside of the UTC years 1 to 9999, which responses and the database cannot represent.
 */
export function timeIn(text: string): Date | undefined {
  const time = new Date(text);
  return time.getTime() >= EARLIEST && time.getTime() <= LATEST ? time : undefined;
}
