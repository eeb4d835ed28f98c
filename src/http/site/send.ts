import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import Negotiator from "negotiator";
import { LANGUAGES, type Language, type Site } from "../../public/site/site.ts";
import type { HttpContext } from "../context.ts";
import { siteUrl } from "../dataset/readable-version.ts";
import { isKnown } from "../requests/preconditions.ts";
import { varyBy } from "../responses/negotiation.ts";
import { sendText } from "../responses/send-text.ts";

/** Everything comes from the service itself; inline scripts and styles do not run. */
const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** What is the same on all public pages that answer a request. @param request absent for other answers than pages */
export function siteOf(context: Omit<HttpContext, "limits">, request?: FastifyRequest): Site {
  const { basePath, publisher, branding } = context;
  const { logo, colours, links, about } = branding;
  return {
    lang: request && chosenLanguage(request),
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
  const chosen = chosenLanguage(request);
  if (chosen !== undefined) return chosen;
  const preferred = new Negotiator(request).language([...LANGUAGES]);
  return LANGUAGES.find((one) => one === preferred) ?? LANGUAGES[0];
}

function chosenLanguage({ query }: FastifyRequest): Language | undefined {
  // A path that cannot be parsed has no query.
  const { lang } = (query ?? {}) as { lang?: unknown };
  return LANGUAGES.find((one) => one === lang);
}

/** When this process started: its settings and its version decide about pages, too. */
export const STARTED_AT = new Date();
/** A page that changed a moment ago can change again in the same second, so that its date does not identify it. */
const UNCERTAIN_MS = 2_000;

/**
 * Sends a public page. Browsers and proxies may keep it, and ask each time whether it is still the same (RFC 9110, section
 * 13), because what the public may see can change at any moment.
 *
 * @param page.etag see {@link etagOf}
 * @param page.changedAt the last change of anything that the page shows; undefined if it is not known
 */
export function sendHtml(
  request: FastifyRequest,
  reply: FastifyReply,
  { text, etag = etagOf(text), changedAt }: { text: string; etag?: string; changedAt?: Date },
): string {
  pageHeaders(reply);
  return validated(request, reply, { text, etag, changedAt });
}

/** Sets the headers of a public page that do not depend on its content. */
export function pageHeaders(reply: FastifyReply): void {
  reply.type("text/html; charset=utf-8").header("content-security-policy", POLICY);
  varyBy(reply, "Accept", "Accept-Language");
}

/** Sends a public list for machines by the rules of {@link sendHtml}. Its text alone decides whether it is the same. */
export function sendList(request: FastifyRequest, reply: FastifyReply, type: string, text: string): FastifyReply {
  const body = validated(request, reply, { text, etag: etagOf(text), changedAt: undefined });
  return sendText(reply, type, body);
}

/** The text, or nothing if the client has it already. */
function validated(
  request: FastifyRequest,
  reply: FastifyReply,
  { text, etag, changedAt: changed }: { text: string; etag: string; changedAt: Date | undefined },
): string {
  const latest = changed && new Date(Math.max(changed.getTime(), STARTED_AT.getTime()));
  const changedAt = latest && Date.now() - latest.getTime() > UNCERTAIN_MS ? latest : undefined;
  reply.header("cache-control", "public, no-cache").header("etag", etag);
  if (changedAt !== undefined) reply.header("last-modified", changedAt.toUTCString());
  // An answer that is not a success is sent in any case.
  if (reply.statusCode !== 200 || !isKnown(request, { etag, changedAt })) return text;
  reply.code(304);
  return "";
}

/** A weak validator of a page. @param basis the part of its text that decides whether it is the same */
export function etagOf(basis: string): string {
  return `W/"${createHash("sha256").update(basis).digest("base64url").slice(0, 22)}"`;
}
