import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { Problem } from "../submission/problems.ts";

/** Query members of a paged list that has so many entries on a page unless told otherwise. */
export const paging = (size: number) => ({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000, default: size, description: "Most entries of a page.", examples: [50] }),
  ),
  cursor: Type.Optional(Type.String({ maxLength: 1_000, description: "From the `Link` header of the page before." })),
});

/** Tells where the next page is (RFC 8288). */
export function linkNext(request: FastifyRequest, reply: FastifyReply, basePath: string, cursor: string): void {
  const url = new URL(request.url, "http://service");
  url.searchParams.set("cursor", cursor);
  const path = url.pathname.startsWith(basePath) ? url.pathname : `${basePath}${url.pathname}`;
  reply.header("link", `<${path}${url.search}>; rel="next"`);
}

/** Where a list that is newest first goes on. */
export interface Cursor {
  createdAt: Date;
  /** The event that the entry is about; 0 where it is about none. */
  event: number;
  id: string;
}

/** A time, the number of an event, and a UUID. */
const CURSOR = /^([12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (\d{1,9}) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** After this entry. */
export function writeCursor(after: { created_at: Date; event?: number; id: string }): string {
  const { created_at, event = 0, id } = after;
  return Buffer.from(`${created_at.toISOString()} ${event} ${id}`).toString("base64url");
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
