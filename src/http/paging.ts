import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";

/** Query members of every paged list. */
export const Paging = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000, description: "Most entries of a page.", examples: [50] }),
  ),
  cursor: Type.Optional(Type.String({ maxLength: 500, description: "From the `Link` header of the page before." })),
};

/** Tells where the next page is (RFC 8288). */
export function linkNext(request: FastifyRequest, reply: FastifyReply, basePath: string, cursor: string): void {
  const url = new URL(request.url, "http://service");
  url.searchParams.set("cursor", cursor);
  const path = url.pathname.startsWith(basePath) ? url.pathname : `${basePath}${url.pathname}`;
  reply.header("link", `<${path}${url.search}>; rel="next"`);
}
