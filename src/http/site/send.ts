import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import Negotiator from "negotiator";
import { LANGUAGES, type Language, type Site } from "../../public/site/site.ts";
import type { HttpContext } from "../context.ts";
import { siteUrl } from "../dataset/readable-version.ts";
import { namesTag } from "../requests/preconditions.ts";

/** Everything comes from the service itself; inline scripts and styles do not run. */
const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** What is the same on all public pages. */
export function siteOf(context: HttpContext): Site {
  const { basePath, publisher, branding } = context;
  const { logo, colours, links, about } = branding;
  return {
    name: branding.name ?? publisher.name,
    basePath,
    url: siteUrl(context),
    logo: logo && `/site/${logo.name}`,
    colours: colours?.name,
    links,
    hasAbout: about.length > 0,
  };
}

/** The language of a page: the one in the address, or else the one that the browser prefers (RFC 9110, section 12.5.4). */
export function languageOf(request: FastifyRequest): Language {
  const { lang } = request.query as { lang?: unknown };
  const chosen = LANGUAGES.find((one) => one === lang);
  if (chosen !== undefined) return chosen;
  const preferred = new Negotiator(request).language([...LANGUAGES]);
  return LANGUAGES.find((one) => one === preferred) ?? LANGUAGES[0];
}

/**
 * Sends a public page. Browsers and proxies may keep it, and ask each time whether it is still the same (RFC 9110, section
 * 13), because what the public may see can change at any moment.
 *
 * @param page.etag see {@link etagOf}
 */
export function sendHtml(
  request: FastifyRequest,
  reply: FastifyReply,
  { text, etag = etagOf(text), changedAt }: { text: string; etag?: string; changedAt?: Date },
): string {
  reply
    .type("text/html; charset=utf-8")
    .header("content-security-policy", POLICY)
    .header("cache-control", "public, no-cache")
    .header("vary", "Accept, Accept-Language")
    .header("etag", etag);
  if (changedAt !== undefined) reply.header("last-modified", changedAt.toUTCString());
  const known = request.headers["if-none-match"];
  if (known !== undefined && namesTag(known, etag, "weak")) {
    reply.code(304);
    return "";
  }
  return text;
}

/** A weak validator of a page. @param basis the part of its text that decides whether it is the same */
export function etagOf(basis: string): string {
  return `W/"${createHash("sha256").update(basis).digest("base64url").slice(0, 22)}"`;
}
