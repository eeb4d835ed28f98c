import type { FastifyReply, FastifyRequest } from "fastify";
import type { Queries } from "../../db/database.ts";
import type { LandingState } from "../../db/publication/landing-state.ts";
import { findLandingStates } from "../../db/publication/landing-state.ts";
import { BatchedReads } from "../../db/shared-reads.ts";
import { contentTypeOf, METADATA_FORMATS, type MetadataFormat } from "../../describe/formats/formats.ts";
import { Problem } from "../../domain/problems.ts";
import { uuidOf } from "../../domain/uuid.ts";
import type { Server } from "../fastify.ts";
import { clientAddressOf, type Limits } from "../requests/limits.ts";
import { negotiated, preferredOf } from "../responses/negotiation.ts";
import { hasLandingPage } from "../site/landing.ts";

const PAGE = "text/html";
/** Metadata formats by media type. */
const FORMATS = new Map(
  Object.values(METADATA_FORMATS).map((format: MetadataFormat): [string, MetadataFormat] => [
    contentTypeOf(format).replace("; charset=utf-8", ""),
    format,
  ]),
);
/** Media types of `GET /dataset/{id}`. The first is the default. */
const TYPES = ["application/json", ...FORMATS.keys(), PAGE] as const;

/** The same for datasets that exist and others. */
const NOT_PUBLIC = "No public dataset has this address";

/** Returns the metadata format that `Accept` prefers; undefined for JSON. */
export function formatAskedFor(request: FastifyRequest, reply: FastifyReply): MetadataFormat | undefined {
  return FORMATS.get(negotiated(request, reply, TYPES));
}

/**
 * Returns the path of the web page of a dataset if the request is for the address of the dataset and prefers HTML, as a
 * browser does after a click on a link. Undefined for all other requests.
 */
export function pageAskedFor(request: FastifyRequest, basePath: string): string | undefined {
  const { url, config } = request.routeOptions;
  if (url !== `${basePath}/dataset/:id` || config.allow !== undefined) return undefined;
  if (preferredOf(request, TYPES) !== PAGE) return undefined;
  const { id } = request.params as { id: string };
  const { version } = request.query as { version?: unknown };
  const query = typeof version === "string" ? `?${new URLSearchParams({ version })}` : "";
  return `${basePath}/app/datasets/${encodeURIComponent(uuidOf(id))}${query}`;
}

declare module "fastify" {
  interface FastifyRequest {
    /**
     * The dataset whose landing page a browser asks for, if a version is or was published; otherwise null. The request is
     * counted already.
     */
    landing: LandingState | null;
  }
}

/**
 * Answers browsers at the address of a dataset that is not public, before authentication: a browser sends no token there. It gets
 * the page of a problem (404), which leads to the application; a service without sign-in redirects to the application, because the
 * visitor is the owner. The answer does not reveal whether the dataset exists.
 * @throws Problem `not_found`
 */
export function answerBrowsers(
  server: Server,
  { limits, basePath, db, hasSignIn }: { limits: Limits; basePath: string; db: Queries; hasSignIn: boolean },
): void {
  const states = new BatchedReads<LandingState>(db, findLandingStates);
  server.decorateRequest("landing", null);
  server.addHook("onRequest", async (request, reply) => {
    const page = pageAskedFor(request, basePath);
    if (page === undefined) return;
    // Before the first query: these requests need no token.
    await limits.request(request, reply, `address ${clientAddressOf(request)}`);
    const { id } = request.params as { id: string };
    const state = await states.read(uuidOf(id));
    if (state !== undefined && hasLandingPage(state)) {
      request.landing = state;
      return;
    }
    negotiated(request, reply, TYPES);
    if (hasSignIn && request.headers.authorization === undefined) throw new Problem("not_found", NOT_PUBLIC);
    return reply.redirect(page, 303);
  });
}
