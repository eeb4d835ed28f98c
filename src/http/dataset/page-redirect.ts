import type { FastifyReply, FastifyRequest } from "fastify";
import { contentTypeOf, METADATA_FORMATS, type MetadataFormat } from "../../export/formats.ts";
import type { Server } from "../fastify.ts";
import { clientAddressOf, type Limits } from "../requests/limits.ts";
import { negotiated, preferredOf } from "../responses/negotiation.ts";

const PAGE = "text/html";
/** Descriptions by media type. */
const FORMATS = new Map(
  Object.values(METADATA_FORMATS).map((format: MetadataFormat): [string, MetadataFormat] => [
    contentTypeOf(format).replace("; charset=utf-8", ""),
    format,
  ]),
);
/** What `GET /dataset/{id}` can answer; the first is for callers without a preference. */
const TYPES = ["application/json", ...FORMATS.keys(), PAGE] as const;

/** The description that a caller wants; undefined for JSON. */
export function formatAskedFor(request: FastifyRequest, reply: FastifyReply): MetadataFormat | undefined {
  return FORMATS.get(negotiated(request, reply, TYPES));
}

/**
 * The page of a dataset, where its address is asked for by somebody who wants most to see a page: a browser in which it was
 * clicked. Undefined for all other requests.
 */
export function pageAskedFor(request: FastifyRequest, basePath: string): string | undefined {
  const { url, config } = request.routeOptions;
  if (url !== `${basePath}/dataset/:id` || config.allow !== undefined) return undefined;
  if (preferredOf(request, TYPES) !== PAGE) return undefined;
  const { id } = request.params as { id: string };
  const { version } = request.query as { version?: unknown };
  const query = typeof version === "string" ? `?${new URLSearchParams({ version })}` : "";
  return `${basePath}/app/datasets/${encodeURIComponent(id.replace(/^urn:uuid:/, ""))}${query}`;
}

/**
 * Sends browsers from the address of a dataset to its page, before anybody is asked who they are: a browser carries no token
 * there, and the answer is the same whether there is such a dataset or not.
 */
export function redirectBrowsersToPage(
  server: Server,
  { limits, basePath }: { limits: Limits; basePath: string },
): void {
  server.addHook("onRequest", async (request, reply) => {
    const page = pageAskedFor(request, basePath);
    if (page === undefined) return;
    await limits.request(request, reply, `address ${clientAddressOf(request)}`);
    negotiated(request, reply, TYPES);
    return reply.redirect(page, 303);
  });
}
