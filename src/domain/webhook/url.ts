import { isHostAsParsed } from "../endpoint.ts";

/** How a webhook wants its bodies: as Standard Webhooks recommends, or as CloudEvents 1.0 in structured mode. */
export const FORMATS = ["json", "cloudevents"] as const;

export type Format = (typeof FORMATS)[number];

/** As one line of a form may hold. */
export const LONGEST_URL = 2_048;

/**
 * Reads the address of a webhook's endpoint. The result is a sentence that says what is wrong when it cannot be used.
 *
 * Plain ASCII, no user or password, no fragment, and no host that a parser would turn into another one, so that
 * the address that was checked is the one that is called.
 */
export function readWebhookUrl(text: string): URL | string {
  if (!/^[\x21-\x7e]+$/.test(text) || text.includes("\\")) return "The address holds characters that no URL has.";
  const url = URL.parse(text);
  const [, scheme = "", authority = ""] = /^([a-z]+):\/\/([^/?#]+)/i.exec(text) ?? [];
  if (url === null || !/^https?$/i.test(scheme)) return "An address that begins with https:// or http:// is needed.";
  if (authority.includes("@")) return "The address must not hold a user or a password.";
  if (text.includes("#")) return "The address must not have a fragment (#…).";
  if (!isHostAsParsed(authority.replace(/:\d{0,5}$/, ""), url.hostname)) {
    return "The address’s host is not a host name or address in its usual form.";
  }
  return url;
}
