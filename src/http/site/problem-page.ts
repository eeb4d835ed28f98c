import type { FastifyReply, FastifyRequest } from "fastify";
import type { Problem } from "../../domain/problems.ts";
import { isUuid, uuidOf } from "../../domain/uuid.ts";
import { problemPage } from "../../public/site/problem-page.ts";
import type { HttpContext } from "../context.ts";
import { negotiated } from "../responses/negotiation.ts";
import { languageOf, pageHeaders, siteOf } from "./send.ts";

const TYPES = ["application/problem+json", "application/json", "text/html"] as const;

/**
 * Returns the page of a problem if a browser opened a public address, and sets its headers. Undefined for programs, and on
 * routes that need authentication, which only the application and programs call.
 */
export function problemPageFor(
  context: Omit<HttpContext, "limits">,
  { problem, request, reply }: { problem: Problem; request: FastifyRequest; reply: FastifyReply },
): string | undefined {
  const { access = "open" } = request.routeOptions.config;
  if (request.method !== "GET" && request.method !== "HEAD") return undefined;
  if (access !== "open" && access !== "read") return undefined;
  if (negotiated(request, reply, TYPES) !== "text/html" || !isBrowser(request)) return undefined;
  pageHeaders(reply);
  const shown = {
    ...{ problem, request: request.id },
    path: pathOf(context, request),
    dataset: datasetOf(context, problem, request),
  };
  return problemPage(siteOf(context), shown, languageOf(request));
}

/** Some libraries of programs also accept HTML first, without being able to show it. */
function isBrowser({ headers }: FastifyRequest): boolean {
  const { accept = "", authorization } = headers;
  return authorization === undefined && accept.includes("application/xhtml+xml");
}

/** The path of the request below the base path, without the language. A path with two slashes would lead to another host. */
function pathOf({ basePath }: { basePath: string }, { url }: FastifyRequest): string {
  const [path = "", query = ""] = url.slice(url.startsWith(basePath) ? basePath.length : 0).split("?", 2);
  const others = query.split("&").filter((one) => one !== "" && !/^lang(=|$)/.test(one));
  if (!/^\/(?![/\\])/.test(path)) return "/";
  return others.length === 0 ? path : `${path}?${others.join("&")}`;
}

/** The address of the dataset below which an address is. Of a dataset that the reader may not see, nothing is said. */
function datasetOf({ basePath }: { basePath: string }, { status }: Problem, request: FastifyRequest) {
  if (status === 401 || request.routeOptions.url?.startsWith(`${basePath}/dataset/:id`) !== true) return undefined;
  const { id } = request.params as { id: string };
  return isUuid(uuidOf(id)) ? `${basePath}/dataset/${uuidOf(id)}` : undefined;
}
