import helmet from "@fastify/helmet";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import fastify, { type FastifyBaseLogger, LogController } from "fastify";
import { Problem } from "../domain/problems.ts";
import type { ProbeContext } from "./context.ts";
import { answerBrowsers } from "./dataset/page-redirect.ts";
import type { Server } from "./fastify.ts";
import { ignoreFollowing } from "./lingering-close.ts";
import { guardAccess } from "./requests/access.ts";
import { BODY_BYTES, readBodies } from "./requests/bodies.ts";
import { answerBroken, connectionLimits, limitConnections } from "./requests/connections.ts";
import { limitLargeAnswers } from "./requests/large-answers.ts";
import { type Limits, type RateLimits, rateLimits } from "./requests/limits.ts";
import { guardOrigins, type OriginRules } from "./requests/origin.ts";
import { observeRequests, requestIds } from "./requests/request-log.ts";
import { validateBySchema } from "./requests/validation.ts";
import { answerErrors, answerUnroutable, type ProblemPage } from "./responses/problem-answers.ts";

export interface HttpOptions {
  origin: OriginRules;
  trustedProxies: string[];
  rateLimits: RateLimits;
  /** Whether callers sign in; otherwise each caller may do everything. */
  hasSignIn: boolean;
  logger: FastifyBaseLogger;
}

/**
 * Builds a server without operations. It has the hooks that process every request, in their order. After the operations
 * are added, call `addOtherMethods`, which adds routes that reject other methods of their paths.
 */
export async function baseServer(
  context: ProbeContext,
  options: HttpOptions,
  problemPage?: ProblemPage,
): Promise<{ server: Server; limits: Limits; addOtherMethods: () => void }> {
  const { trustedProxies } = options;
  const server: Server = fastify({
    loggerInstance: options.logger,
    genReqId: requestIds(trustedProxies),
    bodyLimit: BODY_BYTES,
    trustProxy: trustedProxies.length > 0 ? trustedProxies : false,
    forceCloseConnections: true,
    ...connectionLimits,
    clientErrorHandler: answerBroken,
    frameworkErrors: answerUnroutable(problemPage),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 2_048 },
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "request" }),
  }).withTypeProvider<TypeBoxTypeProvider>();
  limitConnections(server, trustedProxies);
  ignoreFollowing(server);
  validateBySchema(server);
  answerErrors(server, problemPage);
  observeRequests(server, { ...context, trustedProxies });
  const addOtherMethods = answerOtherMethods(server);
  await securityHeaders(server);
  await guardOrigins(server, { ...options.origin, basePath: context.basePath });
  await readBodies(server);
  const limits = await rateLimits(server, options.rateLimits);
  answerBrowsers(server, { ...context, ...options, limits });
  guardAccess(server, { ...context, limits });
  limitLargeAnswers(server);
  return { server, limits, addOtherMethods };
}

async function securityHeaders(server: Server): Promise<void> {
  await server.register(helmet, {
    crossOriginResourcePolicy: false,
    // The reverse proxy terminates TLS, so it decides on this header.
    strictTransportSecurity: false,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        baseUri: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        imgSrc: ["'self'", "data:"],
        objectSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
      },
    },
  });
  // Responses depend on the caller, so caches must not store them.
  server.addHook("onSend", async (_request, reply) => {
    if (!reply.hasHeader("cache-control")) reply.header("cache-control", "no-store");
  });
}

/** Starts listening. `close` ends open event streams first, then the server. */
export async function listenOn(
  server: Server,
  at: { host: string; port: number },
  stopping: AbortController,
): Promise<{ origin: string; close: () => Promise<void> }> {
  const { origin } = new URL(await server.listen(at));
  const close = async () => {
    stopping.abort();
    await server.close();
  };
  return { origin, close };
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** Methods of the path, on routes that reject all other methods. Absent on operations. */
    allow?: string;
    /** Headers that the answer to `OPTIONS` has besides `Allow`. */
    optionsHeaders?: Readonly<Record<string, string>>;
  }
}

/**
 * Answers unsupported methods of known paths with 405 and `Allow` (RFC 9110, section 15.5.6), and `OPTIONS` with 204 and
 * `Allow`. Call it before routes are added.
 *
 * @returns a function to call after all routes are added; it adds a route for the remaining methods of each path
 */
function answerOtherMethods(server: Server): () => void {
  const methods = new Map<string, Set<string>>();
  const headers = new Map<string, Readonly<Record<string, string>>>();
  server.addHook("onRoute", ({ url, method, config }) => {
    // The router treats a path with and without a trailing slash as the same.
    const path = url === "/" ? url : url.replace(/\/$/, "");
    if (path === "*" || config?.allow !== undefined) return;
    const known = methods.get(path) ?? new Set();
    for (const one of [method].flat()) known.add(one);
    methods.set(path, known);
    if (config?.optionsHeaders !== undefined) headers.set(path, config.optionsHeaders);
  });
  return () => {
    for (const [url, known] of methods) addOthers(server, url, known, headers.get(url));
  };
}

function addOthers(
  server: Server,
  url: string,
  known: ReadonlySet<string>,
  headers: Readonly<Record<string, string>> = {},
): void {
  const allow = [...known, "OPTIONS"].sort().join(", ");
  const hidden = { schema: { hide: true }, config: { allow } };
  const refused = server.supportedMethods.filter((method) => !known.has(method) && method !== "OPTIONS");
  server.route({
    url,
    method: refused,
    ...hidden,
    // A hook instead of the handler, to reject before the body is read.
    onRequest: async (_request, reply) => {
      reply.header("allow", allow);
      throw new Problem("method_not_allowed", `This path supports ${[...known].sort().join(" and ")}`);
    },
    handler: async () => undefined,
  });
  server.options(url, hidden, async (_request, reply) =>
    reply
      .headers({ ...headers, allow })
      .code(204)
      .send(),
  );
}
