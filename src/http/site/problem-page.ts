import type { FastifyReply, FastifyRequest } from "fastify";
import type { Problem } from "../../domain/problems.ts";
import { isUuid, uuidOf } from "../../domain/uuid.ts";
import { problemPage } from "../../public/site/problem-page.ts";
import { LANGUAGES } from "../../public/site/site.ts";
import type { HttpContext } from "../context.ts";
import { pageAskedFor } from "../dataset/page-redirect.ts";
import { siteScripts } from "../page/site-scripts.ts";
import { negotiated } from "../responses/negotiation.ts";
import { languageOf, pageHeaders, siteOf } from "./send.ts";

const TYPES = ["application/problem+json", "application/json", "text/html"] as const;

/**
 * Returns the page of a problem if a browser opened a public address, and sets its headers. Undefined for programs, and on
 * routes that need authentication, which only the application and programs call.
 */
export async function problemPageFor(
  context: Omit<HttpContext, "limits">,
  { problem, request, reply }: { problem: Problem; request: FastifyRequest; reply: FastifyReply },
): Promise<string | undefined> {
  const { access = "open" } = request.routeOptions.config;
  if (request.method !== "GET" && request.method !== "HEAD") return undefined;
  if (access !== "open" && access !== "read") return undefined;
  if (negotiated(request, reply, TYPES) !== "text/html" || !isBrowser(request)) return undefined;
  const signIn = signInFor(context, problem, request);
  const shown = {
    ...{ problem, request: request.id },
    path: isSameInOtherLanguages(problem, request) ? pathOf(context, request) : undefined,
    dataset: signIn === undefined ? datasetOf(context, request) : undefined,
    signIn,
    application: `${context.basePath}/app`,
    script: signIn && (await siteScripts(context)).tools?.script,
  };
  pageHeaders(reply);
  return problemPage(siteOf(context, request), shown, languageOf(request));
}

/** Some libraries of programs also accept HTML first, without being able to show it. */
function isBrowser({ headers }: FastifyRequest): boolean {
  const { accept = "", authorization } = headers;
  return authorization === undefined && accept.includes("application/xhtml+xml");
}

/**
 * Whether the same address with another `lang` has the same problem: operations refuse unknown parameters, another language corrects
 * a wrong one, and some problems end with time.
 */
function isSameInOtherLanguages({ status }: Problem, { query, routeOptions }: FastifyRequest): boolean {
  const { schema, config } = routeOptions;
  const { properties } = (schema?.querystring ?? {}) as { properties?: object };
  const isAccepted = properties === undefined || "lang" in properties || config.anyQuery === true;
  // A path that cannot be parsed has no query.
  if (query === undefined || query === null) return false;
  const { lang } = query as { lang?: unknown };
  const isValid = lang === undefined || LANGUAGES.some((one) => one === lang);
  return isAccepted && isValid && status < 500 && status !== 429;
}

/**
 * The path of the request below the base path, without the language. Undefined for one with two slashes, which would lead to another
 * host.
 */
function pathOf({ basePath }: { basePath: string }, { url }: FastifyRequest): string | undefined {
  const [path = "", query = ""] = url.slice(url.startsWith(basePath) ? basePath.length : 0).split("?", 2);
  const others = query.split("&").filter((one) => one !== "" && !/^lang(=|$)/.test(one));
  if (!/^\/(?![/\\])/.test(path)) return undefined;
  return others.length === 0 ? path : `${path}?${others.join("&")}`;
}

/** The address of the dataset below which an address is. */
function datasetOf({ basePath }: { basePath: string }, request: FastifyRequest): string | undefined {
  const id = idOf(basePath, request);
  return id && `${basePath}/dataset/${id}`;
}

/**
 * Where people who have access open what is not public at this address: the dataset in the application, or its first page. It depends
 * on the address alone, so that it does not reveal whether the dataset exists.
 */
function signInFor(
  { basePath }: { basePath: string },
  { status }: Problem,
  request: FastifyRequest,
): string | undefined {
  const id = idOf(basePath, request);
  const isPrivate = status === 404 && request.landing === null && pageAskedFor(request, basePath) !== undefined;
  if (status !== 401 && !(isPrivate && id !== undefined)) return undefined;
  return pageAskedFor(request, basePath) ?? `${basePath}/app/${id === undefined ? "" : `datasets/${id}`}`;
}

/** The id of the dataset to whose addresses the address of the request belongs. */
function idOf(basePath: string, request: FastifyRequest): string | undefined {
  if (request.routeOptions.url?.startsWith(`${basePath}/dataset/:id`) !== true) return undefined;
  const { id } = request.params as { id: string };
  return isUuid(uuidOf(id)) ? uuidOf(id) : undefined;
}
