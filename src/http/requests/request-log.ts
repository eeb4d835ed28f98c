import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Metrics } from "../../platform/telemetry/metrics.ts";
import type { Attributes, Span, Tracing } from "../../platform/telemetry/tracing.ts";
import type { Server } from "../fastify.ts";
import { networkMatcher } from "./connections.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The span of the request; null if it is not traced. */
    span: Span | null;
    /** Milliseconds until an event stream started; null for other responses. */
    begunAfter: number | null;
  }
}

export interface Observers {
  metrics: Metrics;
  tracing: Tracing;
  basePath: string;
  trustedProxies: readonly string[];
}

/** Allowed form of a request id from a proxy. Ids appear in logs, headers and URNs. */
const ID = /^[A-Za-z0-9._-]{1,128}$/;
/** Methods of routes. Other methods are logged as `other`, because clients can send any word. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const UUID = /^(?:urn:uuid:)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Returns a function that generates the id of a request, or accepts the id that a trusted proxy has set. */
export function requestIds(trustedProxies: readonly string[]): (raw: IncomingMessage) => string {
  const isProxy = networkMatcher(trustedProxies);
  return ({ headers, socket }) => {
    const given = headers["x-request-id"];
    return typeof given === "string" && ID.test(given) && isProxy(socket.remoteAddress) ? given : randomUUID();
  };
}

/**
 * Records every request in the log, the metrics and the trace, and adds its id to the response. Records contain the route
 * and the id in the path, never the raw path, which can contain pasted secrets. A trace of the caller is continued if a
 * trusted proxy forwards it.
 */
export function observeRequests(server: Server, observers: Observers): void {
  const { metrics, tracing, basePath } = observers;
  const isProxy = networkMatcher(observers.trustedProxies);
  server.decorateRequest("span", null);
  server.decorateRequest("begunAfter", null);
  server.addHook("onRequest", async (request, reply) => {
    reply.header("x-request-id", request.id);
    const route = routeOf(request, basePath);
    if (!isWatching(route)) {
      const parent = isProxy(request.raw.socket.remoteAddress) ? request.headers.traceparent : undefined;
      request.span = tracing.begin({
        name: `${methodOf(request)} ${route}`,
        kind: "server",
        parent: typeof parent === "string" ? parent : undefined,
        attributes: attributesOf(request, route),
      });
    }
    setRequestSubject(request, subjectOf(request, route));
  });
  // Starts the span’s context after the body is read, because the events of the body have no context.
  server.addHook("preHandler", (request, _reply, done) => {
    if (request.span === null) done();
    else request.span.around(done);
  });
  server.addHook("onSend", async (request, reply) => {
    const type = String(reply.getHeader("content-type"));
    if (type.startsWith("text/event-stream")) request.begunAfter = reply.elapsedTime;
  });
  server.addHook("onResponse", async (request, reply) => {
    const route = routeOf(request, basePath);
    const labels = { method: methodOf(request), route, status: reply.statusCode };
    metrics.request(labels, (request.begunAfter ?? reply.elapsedTime) / 1000);
    request.span?.note({ "http.response.status_code": reply.statusCode });
    request.span?.end(reply.statusCode >= 500 ? String(reply.statusCode) : undefined);
    logAnswer(request, reply);
  });
}

/** Adds the submission or dataset of a request to its further log lines and its span. */
export function setRequestSubject(request: FastifyRequest, subject: Subject): void {
  const entries = Object.entries(subject);
  if (entries.length === 0) return;
  request.log = request.log.child(subject);
  request.span?.note(Object.fromEntries(entries.map(([what, id]) => [`accession.${what}.id`, id])));
}

type Subject = { submission?: string; dataset?: string };

function logAnswer(request: FastifyRequest, reply: FastifyReply): void {
  const fields = {
    method: request.method,
    route: request.routeOptions.url,
    status: reply.statusCode,
    milliseconds: Math.round(reply.elapsedTime),
    ...(request.caller !== null && { caller: request.caller.owner }),
  };
  // Clients that poll a submission send several requests per second.
  if (request.method === "GET" && reply.statusCode < 400) request.log.debug(fields, "answered");
  else request.log.info(fields, "answered");
}

/** Returns the pattern of the route without the base path; `none` for unknown paths. */
function routeOf({ routeOptions }: FastifyRequest, basePath: string): string {
  return routeOptions.url?.slice(basePath.length) || "none";
}

function methodOf({ method }: FastifyRequest): string {
  return METHODS.has(method) ? method : "other";
}

/** Whether the request comes from monitoring. Such requests are not traced, because there is one every few seconds. */
function isWatching(route: string): boolean {
  return route.startsWith("/health/") || route === "/metrics";
}

function subjectOf({ params }: FastifyRequest, route: string): Subject {
  const id = UUID.exec((params as { id?: string } | undefined)?.id ?? "")?.[1];
  const kind = /^\/(submission|dataset)\/:id/.exec(route)?.[1] as keyof Subject | undefined;
  return id === undefined || kind === undefined ? {} : { [kind]: id };
}

/** Attributes by the OpenTelemetry conventions for HTTP servers, without `url.path`. */
function attributesOf(request: FastifyRequest, route: string): Attributes {
  return {
    "http.request.method": methodOf(request),
    "url.scheme": request.protocol,
    "network.protocol.version": request.raw.httpVersion,
    "accession.request.id": request.id,
    ...(route !== "none" && { "http.route": route }),
  };
}
