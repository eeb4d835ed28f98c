import cors from "@fastify/cors";
import type { FastifyRequest } from "fastify";
import { Problem } from "../submission/problems.ts";
import type { Server } from "./context.ts";
import { pageAskedFor } from "./dataset/forms.ts";

export interface OriginRules {
  /** Origins of other sites whose pages may call the API. */
  corsOrigins: readonly string[];
  /** The service's own origin, once it is known. */
  publicUrl: () => string;
  /** True while the service listens on loopback: then the Host must be a loopback name. */
  loopback: boolean;
  /** Paths of pages, and everything below them: other sites may link to these. */
  pages: readonly string[];
}

/** With the prefix of every path. */
type Rules = OriginRules & { basePath: string };

/**
 * Keeps pages of other sites out, so that none can use a service on its visitor's own machine: a foreign `Origin` or
 * `Sec-Fetch-Site` is refused, and on loopback a foreign `Host` (DNS rebinding). Allowed origins get CORS headers on
 * every answer, errors included.
 */
export async function guardOrigins(server: Server, rules: Rules): Promise<void> {
  await server.register(cors, {
    methods: ["GET", "HEAD", "POST", "DELETE"],
    allowedHeaders: [
      "Authorization",
      "Content-Type",
      "Idempotency-Key",
      "Last-Event-ID",
      "Range",
      "If-Range",
      "If-None-Match",
    ],
    exposedHeaders: [
      "Location",
      "Link",
      "Retry-After",
      "X-Request-Id",
      "Content-Disposition",
      "Content-Range",
      "ETag",
      "Repr-Digest",
    ],
    maxAge: 600,
    strictPreflight: false,
    origin: (origin, callback) => {
      if (origin === undefined || isOwn(origin, rules)) callback(null, false);
      else if (rules.corsOrigins.includes(origin)) callback(null, origin);
      else callback(new Problem("foreign_origin", `Pages from ${quote(origin)} may not call this service`), false);
    },
  });
  server.addHook("onRequest", async (request) => {
    checkHost(request, rules);
    checkFetchSite(request, rules);
  });
}

function checkHost(request: FastifyRequest, rules: Rules): void {
  requireOneHost(request);
  if (!rules.loopback) return;
  const own = new URL(rules.publicUrl());
  const called = addressOf(`${own.protocol}//${request.headers.host ?? ""}`);
  if (called !== undefined && (isLoopbackName(called.hostname) || called.host === addressOf(own.href)?.host)) return;
  throw new Problem("foreign_host", "This service is not called by the name in the Host header");
}

/** RFC 9112, section 3.2. Node answers 400 itself when the field is missing; of several it would use the first. */
function requireOneHost({ raw: { rawHeaders } }: FastifyRequest): void {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "host");
  if (hosts.length > 1) throw new Problem("bad_request", "The request has more than one Host header");
}

/** Browsers send Sec-Fetch-Site where they send no Origin, for instance for images and forms. */
function checkFetchSite(request: FastifyRequest, rules: Rules): void {
  const site = request.headers["sec-fetch-site"];
  if (site === undefined || site === "same-origin" || site === "none") return;
  const { origin } = request.headers;
  if (origin !== undefined && (rules.corsOrigins.includes(origin) || isOwn(origin, rules))) return;
  const isNavigation = request.method === "GET" && request.headers["sec-fetch-mode"] === "navigate";
  const path = request.url.split("?", 1)[0] ?? "";
  if (isNavigation && rules.pages.some((page) => path === page || path.startsWith(`${page}/`))) return;
  // A dataset’s address is there to be cited: whoever clicks it elsewhere is led to its page, and learns nothing else here.
  const isWindow = request.headers["sec-fetch-dest"] === "document";
  if (isNavigation && isWindow && pageAskedFor(request, rules.basePath) !== undefined) return;
  throw new Problem("foreign_origin", "Pages of other sites may not call this service");
}

function isOwn(origin: string, rules: OriginRules): boolean {
  const own = addressOf(rules.publicUrl());
  const url = addressOf(origin);
  if (own === undefined || url === undefined) return false;
  if (url.origin === own.origin) return true;
  return rules.loopback && isLoopbackName(url.hostname) && url.protocol === own.protocol && url.port === own.port;
}

/**
 * An address in the form in which it can be compared with others: lower case, without its protocol's default port (RFC
 * 3986, section 6.2) and without the dot that ends a fully qualified name. Undefined for what is no URL.
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
