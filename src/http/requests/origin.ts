import cors, { type FastifyCorsOptions } from "@fastify/cors";
import type { FastifyRequest } from "fastify";
import { Problem } from "../../domain/problems.ts";
import { pageAskedFor } from "../dataset/page-redirect.ts";
import type { Server } from "../fastify.ts";

export interface OriginRules {
  /** Origins of other sites whose pages may call the API. */
  corsOrigins: readonly string[];
  /** The origin of the service, once it is known. */
  publicUrl: () => string;
  /** True while the service listens on loopback: then the Host must be a loopback name. */
  loopback: boolean;
  /** Whether the service publishes datasets, so that other sites may link to their files and exports. */
  publishes: boolean;
}

const headersFor = {
  methods: ["GET", "HEAD", "POST", "PATCH", "DELETE"],
  allowedHeaders: [
    "Authorization",
    "Content-Type",
    "Idempotency-Key",
    "Accession-Repeat",
    "Last-Event-ID",
    "Range",
    "If-Range",
    "If-None-Match",
    ...["Tus-Resumable", "Upload-Length", "Upload-Offset", "Upload-Metadata", "Upload-Checksum"],
    "Upload-Concat",
    "X-HTTP-Method-Override",
  ],
  exposedHeaders: [
    "Location",
    "Link",
    "Retry-After",
    "X-Request-Id",
    "Idempotent-Replayed",
    "Content-Disposition",
    "Content-Range",
    "ETag",
    "Repr-Digest",
    ...["Tus-Resumable", "Tus-Version", "Tus-Extension", "Tus-Checksum-Algorithm"],
    ...["Upload-Offset", "Upload-Length", "Upload-Metadata", "Upload-Expires", "Upload-Concat"],
  ],
  maxAge: 600,
  strictPreflight: false,
};
const withoutHeaders = { origin: false };

/** The rules, with the prefix of every path. */
type Rules = OriginRules & { basePath: string };

/**
 * Rejects requests from pages of other sites, so that they cannot use a service on the machine of their visitor: a foreign
 * `Origin` or `Sec-Fetch-Site` is rejected, and on loopback also a foreign `Host` (DNS rebinding). Allowed origins get CORS
 * headers on every response of a known path, including errors. Responses of unknown paths have none, because the client of
 * e!DAL treats any readable response as a success, even for operations that do not exist here.
 */
export async function guardOrigins(server: Server, rules: Rules): Promise<void> {
  // A delegator, because the headers depend on the path too.
  await server.register(cors, {
    delegator: (request: FastifyRequest, callback: (error: Error | null, options?: FastifyCorsOptions) => void) => {
      const { origin } = request.headers;
      if (origin === undefined || isOwn(origin, rules)) callback(null, withoutHeaders);
      else if (!rules.corsOrigins.includes(origin)) callback(foreign(`Pages from ${quote(origin)}`));
      else callback(null, isKnownPath(request) ? { ...headersFor, origin } : withoutHeaders);
    },
  });
  server.addHook("onRequest", async (request) => {
    checkHost(request, rules);
    checkFetchSite(request, rules);
  });
}

/** `*` is the route with which the plug-in answers preflight requests of paths that have no route. */
function isKnownPath({ is404, routeOptions }: FastifyRequest): boolean {
  return !is404 && routeOptions.url !== "*";
}

function checkHost(request: FastifyRequest, rules: Rules): void {
  requireOneHost(request);
  requireHostForm(request);
  if (!rules.loopback) return;
  const own = new URL(rules.publicUrl());
  const called = addressOf(`${own.protocol}//${request.headers.host ?? ""}`);
  if (called !== undefined && (isLoopbackName(called.hostname) || called.host === addressOf(own.href)?.host)) return;
  throw new Problem("foreign_host", "The request uses an address that is not one of this service");
}

/** Rejects several Host headers (RFC 9112, section 3.2), of which Node would use the first. Node rejects a missing one itself. */
function requireOneHost({ raw: { rawHeaders } }: FastifyRequest): void {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "host");
  if (hosts.length > 1) throw new Problem("bad_request", "The request has more than one Host header");
}

/** A host name or an address with an optional port: the subset of RFC 9110, section 7.2, that real names use. */
const HOST = /^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d*)?$/i;

/**
 * Checks the form of the Host header, because a URL parser would read `localhost/evil` and `user@localhost` as `localhost`.
 * @throws Problem `bad_request`
 */
function requireHostForm({ headers: { host } }: FastifyRequest): void {
  if (host === undefined || (HOST.test(host) && URL.canParse(`http://${host}`))) return;
  throw new Problem("bad_request", "The Host header is not a host name or an address with an optional port");
}

/** Rejects requests from other sites by Sec-Fetch-Site, which browsers also send without Origin, for example for images. */
function checkFetchSite(request: FastifyRequest, rules: Rules): void {
  const site = request.headers["sec-fetch-site"];
  if (site === undefined || site === "same-origin" || site === "none") return;
  const { origin } = request.headers;
  if (origin !== undefined && (rules.corsOrigins.includes(origin) || isOwn(origin, rules))) return;
  if (!isLink(request, rules)) throw foreign("Pages of other sites");
}

/** Whether a browser follows a link of another site to something that outsiders may ask for. That site cannot read the response. */
function isLink(request: FastifyRequest, { publishes, basePath }: Rules): boolean {
  const { method, headers, routeOptions } = request;
  if (method !== "GET" || headers["sec-fetch-mode"] !== "navigate") return false;
  const { access } = routeOptions.config;
  if (access === "open") return true;
  if (access !== "read" || headers["sec-fetch-dest"] !== "document") return false;
  return publishes || pageAskedFor(request, basePath) !== undefined;
}

function foreign(pages: string): Problem {
  return new Problem("foreign_origin", `${pages} may not call this service`);
}

function isOwn(origin: string, rules: OriginRules): boolean {
  const own = addressOf(rules.publicUrl());
  const url = addressOf(origin);
  if (own === undefined || url === undefined) return false;
  if (url.origin === own.origin) return true;
  return rules.loopback && isLoopbackName(url.hostname) && url.protocol === own.protocol && url.port === own.port;
}

/**
 * Normalises an address for comparisons: lower case, without the default port of its protocol (RFC 3986, section 6.2) and
 * without the trailing dot of a fully qualified name. Undefined if the text is not a URL.
 */
function addressOf(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  url.hostname = url.hostname.replace(/\.$/, "");
  return url;
}

function isLoopbackName(name: string): boolean {
  return name === "localhost" || name === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(name);
}

function quote(text: string): string {
  return `“${text.replace(/[^\x21-\x7e]/g, "?").slice(0, 200)}”`;
}
