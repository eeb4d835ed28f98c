import { isHostAsParsed } from "../source-access/endpoint.ts";

/** Formats of delivery bodies: as Standard Webhooks recommends, or CloudEvents 1.0 in structured mode. */
export const FORMATS = ["json", "cloudevents"] as const;

export type Format = (typeof FORMATS)[number];

/** Maximum length of the URL in characters. */
export const LONGEST_URL = 2_048;

/**
 * Parses the URL of a webhook's endpoint. Returns an error message if it is not valid.
 *
 * Accepts only plain ASCII, without user, password and fragment, and without a host that a parser would change. The URL
 * that was checked is therefore the URL that is called.
 */
export function readWebhookUrl(text: string): URL | string {
  if (!/^[\x21-\x7e]+$/.test(text) || text.includes("\\"))
    return "The URL contains characters that are not allowed in a URL.";
  const url = URL.parse(text);
  const [, scheme = "", authority = ""] = /^([a-z]+):\/\/([^/?#]+)/i.exec(text) ?? [];
  if (url === null || !/^https?$/i.test(scheme)) return "The URL must start with https:// or http://.";
  if (authority.includes("@")) return "The URL must not contain a user name or a password.";
  if (text.includes("#")) return "The URL must not have a fragment (#…).";
  if (!isHostAsParsed(authority.replace(/:\d{0,5}$/, ""), url.hostname)) {
    return "The host in the URL is not a host name or IP address in its usual form.";
  }
  return url;
}
