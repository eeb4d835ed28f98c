import type { FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import type { Authenticate } from "../../auth/authenticate.ts";
import { type Caller, requireAccess } from "../../auth/caller.ts";
import { type Access, accessOf } from "../../auth/rules.ts";
import type { HttpContext } from "../context.ts";
import type { Server } from "../fastify.ts";
import { clientAddressOf, type Limits } from "./limits.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** What the route asks of its caller. */
    access?: Access;
  }
  interface FastifyRequest {
    /** Null where nobody has to be known. */
    caller: Caller | null;
  }
}

/**
 * Lets callers in by the table of `auth/rules.ts`, before a byte of a body is read. A route that is not in the table
 * keeps the server from being built.
 */
export function guardAccess(
  server: Server,
  { authenticate, limits, basePath }: { authenticate: Authenticate; limits: Limits; basePath: string },
): void {
  server.decorateRequest("caller", null);
  server.addHook("onRoute", (route) => {
    for (const method of [route.method].flat()) demandOf(route, method, basePath);
  });
  server.addHook("onRequest", async (request, reply) => {
    const { access } = request.routeOptions.config;
    // Whoever watches the service asks as often as they need to.
    if (request.routeOptions.url?.startsWith(`${basePath}/health/`)) return;
    // A path that leads nowhere asks for nothing, too.
    if (access === undefined || access === "open") {
      await limits.request(request, reply, `address ${clientAddressOf(request)}`);
      return;
    }
    const signIn = () => authenticate(request.headers.authorization);
    const caller = await limits.signIn(request, reply, signIn).catch(async (error: unknown) => {
      await limits.request(request, reply, `address ${clientAddressOf(request)}`);
      throw error;
    });
    await limits.request(request, reply, `caller ${caller.owner}`);
    requireAccess(caller, access);
    limits.body(request, reply, caller.owner);
    request.caller = caller;
  });
}

/** Writes down with a route what it asks for. @throws Error when the table does not say */
function demandOf(route: RouteOptions, method: string, basePath: string): void {
  const path = route.url.startsWith(basePath) ? route.url.slice(basePath.length) : route.url;
  // A route that refuses a method needs no credentials for it.
  const access = route.config?.allow === undefined ? accessOf(method, path) : "open";
  if (access === undefined) throw new Error(`Nobody has said who may use ${method} ${path} (src/auth/rules.ts)`);
  route.config = { ...route.config, access };
}

/** Who is calling, on a route that asks for somebody. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error("This route lets everybody in: there is no caller");
  return request.caller;
}

/** To be asked before the service calls an endpoint that the caller names. @throws Problem `rate_limited` */
export async function callAt(
  context: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
  endpoint: string,
): Promise<void> {
  await context.limits.target(request, reply, callerOf(request).owner, endpoint);
}
