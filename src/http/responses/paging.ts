import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { maySee, visibleOwner } from "../../auth/caller.ts";
import { Problem } from "../../domain/problems.ts";
import { callerOf } from "../requests/access.ts";

const EARLIEST = Date.parse("0001-01-01T00:00:00Z");

const LATEST = Date.parse("9999-12-31T23:59:59.999Z");

/** Query members of a paged list that has so many entries on a page unless told otherwise. */
export const paging = (size: number) => ({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000, default: size, description: "Most entries of a page.", examples: [50] }),
  ),
  cursor: Type.Optional(Type.String({ maxLength: 1_000, description: "From the `Link` header of the page before." })),
});

/** Bytes of a page as JSON. A page of larger entries has fewer of them than its limit. */
const MOST_BYTES = 4 * 2 ** 20;

/** Entries of a page, and the row of the last one where there are more. */
export interface Page<Row, View> {
  entries: View[];
  next: Row | undefined;
}

/**
 * The entries that fit on a page, at least one.
 *
 * @param rows one more than the limit where there are more
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

/** Query members that choose among what the caller may see. */
export const filters = {
  owner: Type.Optional(
    Type.String({
      maxLength: 2_000,
      description: "Only those of this owner. For curators and admins.",
      examples: ["josiah"],
    }),
  ),
  updatedAfter: Type.Optional(
    Type.String({
      format: "date-time",
      maxLength: 40,
      description: "Only those that changed later than this (ISO 8601 with a time zone).",
      examples: ["2026-11-01T00:00:00Z"],
    }),
  ),
  q: Type.Optional(
    Type.String({
      maxLength: 1_000,
      description:
        "Part of the title, or beginnings of words that all occur in title, description, subjects or authors (names, affiliations, ORCID iDs). Case and diacritics do not matter.",
      examples: ["moisture"],
    }),
  ),
};

/**
 * The owner whose entries a list contains; undefined for all owners.
 * @throws Problem `forbidden` when a caller asks for an owner whose entries they may not see
 */
export function ownerOf(request: FastifyRequest, owner: string | undefined): string | undefined {
  const caller = callerOf(request);
  if (owner === undefined) return visibleOwner(caller);
  if (!maySee(caller, owner)) throw new Problem("forbidden", "You may list your own entries only");
  return owner;
}

/** @throws Problem `invalid_request` for a time that does not exist or is outside of the UTC years 1 to 9999 */
export function timeOf(updatedAfter: string | undefined): Date | undefined {
  if (updatedAfter === undefined) return undefined;
  const time = timeIn(updatedAfter);
  if (time !== undefined) return time;
  const detail = "A date and time in the UTC years 1 to 9999 is required.";
  const error = { pointer: "/updatedAfter", code: "wrong_value", detail } as const;
  throw new Problem("invalid_request", "The request has one fault", { errors: [error] });
}

/** Tells where the next page is (RFC 8288). */
export function linkNext(request: FastifyRequest, reply: FastifyReply, basePath: string, cursor: string): void {
  const url = new URL(request.url, "http://service");
  url.searchParams.set("cursor", cursor);
  const path = url.pathname.startsWith(basePath) ? url.pathname : `${basePath}${url.pathname}`;
  reply.header("link", `<${path}${url.search}>; rel="next"`);
}

/** Where a list that is newest first goes on. */
interface Cursor {
  createdAt: Date;
  /** The event that the entry is about; 0 where it is about none. */
  event: number;
  id: string;
}

/** A time, the number of an event, and a UUID. */
const CURSOR = /^([12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (\d{1,9}) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** After this entry. */
export function writeCursor(after: { created_at: Date; event?: number | null; id: string }): string {
  const { created_at, event, id } = after;
  return Buffer.from(`${created_at.toISOString()} ${event ?? 0} ${id}`).toString("base64url");
}

/** @throws Problem `bad_request` */
export function readCursor(cursor: string): Cursor {
  const [, time = "", event, id = ""] = CURSOR.exec(Buffer.from(cursor, "base64url").toString("utf8")) ?? [];
  const createdAt = new Date(time);
  if (Number.isNaN(createdAt.getTime())) {
    throw new Problem("bad_request", "This cursor is not one that this service gave");
  }
  return { createdAt, event: Number(event), id };
}

/**
 * The instant of an ISO 8601 date-time with a time zone; undefined for one that does not exist, such as a leap second,
 * and outside of the years 1 to 9999 in UTC, which answers and the database could not represent.
 */
export function timeIn(text: string): Date | undefined {
  const time = new Date(text);
  return time.getTime() >= EARLIEST && time.getTime() <= LATEST ? time : undefined;
}
