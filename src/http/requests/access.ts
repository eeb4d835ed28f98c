import type { FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import type { Queries } from "../../db/database.ts";
import type { GrantRow } from "../../db/publication/access-grants.ts";
import type { ReviewerLinkRow } from "../../db/publication/reviewer-links.ts";
import { Problem } from "../../domain/problems.ts";
import type { Authenticate } from "../../people/authenticate.ts";
import { type Caller, requireAccess } from "../../people/caller.ts";
import { grantOfLink, namesGrant } from "../../people/grants.ts";
import { reviewerLinkOf } from "../../people/reviewer-links.ts";
import { type RoutePermission, requiredPermission } from "../../people/route-permissions.ts";
import type { HttpContext } from "../context.ts";
import type { Server } from "../fastify.ts";
import { clientAddressOf, type Limits } from "./limits.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Permission that the route requires. */
    access?: RoutePermission;
  }
  interface FastifyRequest {
    /** The authenticated caller; null on routes without authentication. */
    caller: Caller | null;
    /** The grant with which the reader came: that of a link, or that of a download link. It opens files only. */
    grant: GrantRow | null;
    /** The reviewer link with whose secret the request was sent; null on all other routes. */
    reviewerLink: ReviewerLinkRow | null;
  }
}

/**
 * Authenticates and authorises callers by the table in `people/route-permissions.ts`, before the body is read. The server cannot be built
 * if a route is missing in the table.
 */
export function guardAccess(
  server: Server,
  { authenticate, db, limits, basePath }: { authenticate: Authenticate; db: Queries; limits: Limits; basePath: string },
): void {
  server.decorateRequest("caller", null);
  server.decorateRequest("grant", null);
  server.decorateRequest("reviewerLink", null);
  server.addHook("onRoute", (route) => {
    for (const method of [route.method].flat()) demandOf(route, method, basePath);
  });
  server.addHook("onRequest", async (request, reply) => {
    const { access } = request.routeOptions.config;
    // Health probes have no rate limit, so that monitoring always gets an answer.
    if (request.routeOptions.url?.startsWith(`${basePath}/health/`)) return;
    // Unknown paths have no rule. They are limited like open ones.
    if (access === undefined || access === "open") {
      await limits.request(request, reply, `address ${clientAddressOf(request)}`);
      return;
    }
    const { authorization } = request.headers;
    const address = `address ${clientAddressOf(request)}`;
    // Requests for landing pages were counted before their first query.
    const count = async (caller: string) => {
      if (request.landing === null) await limits.request(request, reply, caller);
    };
    if (access === "read" && namesGrant(authorization)) {
      await count(address);
      // Such a reader is the public, whose grant opens files.
      request.grant = await limits.signIn(request, reply, () => grantOfLink(db, authorization));
      limits.body(request, reply, address);
      return;
    }
    if (access === "reviewer") {
      await limits.request(request, reply, address);
      limits.body(request, reply, readerOf(request));
      request.reviewerLink = await limits.signIn(request, reply, () => reviewerLinkOf(db, authorization));
      return;
    }
    const signIn = () => authenticate(authorization);
    const caller = await limits.signIn(request, reply, signIn).catch(async (error: unknown) => {
      await count(address);
      if (access === "read" && isWithoutToken(request, error)) return null;
      throw error;
    });
    if (caller === null) {
      limits.body(request, reply, address);
      return;
    }
    const isWaiting = request.routeOptions.config.waiting === true;
    if (!isWaiting) await count(`caller ${caller.owner}`);
    if (access !== "read") requireAccess(caller, access);
    if (!isWaiting) limits.body(request, reply, caller.owner);
    request.caller = caller;
  });
}

/** Stores the required permission in the configuration of a route. @throws Error if the table does not contain the route */
function demandOf(route: RouteOptions, method: string, basePath: string): void {
  const path = route.url.startsWith(basePath) ? route.url.slice(basePath.length) : route.url;
  // Routes that reject a method need no authentication.
  const access = route.config?.allow === undefined ? requiredPermission(method, path) : "open";
  if (access === undefined) throw new Error(`src/people/route-permissions.ts has no rule for ${method} ${path}`);
  route.config = { ...route.config, access };
}

/** Whether sign-in failed only because the request has no token. An invalid token is refused also on public routes. */
function isWithoutToken({ headers }: FastifyRequest, error: unknown): boolean {
  return headers.authorization === undefined && error instanceof Problem && error.code === "unauthenticated";
}

/** The name under which the limits of a reader are counted, who may be the public. */
export function readerOf(request: FastifyRequest): string {
  return request.caller?.owner ?? `address ${clientAddressOf(request)}`;
}

/** Returns the caller of a route with authentication. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error("The route has no authentication, so the caller is unknown");
  return request.caller;
}

/** Counts a connection to an endpoint that the caller named. Call it before connecting. @throws Problem `rate_limited` */
export async function callAt(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  endpoint: string,
): Promise<void> {
  await context.limits.target(request, reply, callerOf(request).owner, endpoint);
}
