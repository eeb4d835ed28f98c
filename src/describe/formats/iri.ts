/**
 * Characters that an IRI may contain unescaped (RFC 3987, section 2.2, `ucschar`): letters, marks, numbers, punctuation
 * and symbols outside ASCII. Excludes characters that section 4.1 forbids or that are invisible: spaces, controls,
 * direction marks, private and unassigned characters.
 */
const NATIVE = /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u;

/**
 * A path as a relative IRI reference. RO-Crate 1.2, “Encoding file paths in `@id`s”: international characters SHOULD be
 * native; special ones such as space, quotation mark and `%` are percent-encoded. Each segment is encoded separately,
 * including `:`, so that no path is taken for a scheme. `decodeURIComponent` restores the path.
 */
export function encodePath(path: string): string {
  return path.split("/").map(encodeSegment).join("/");
}

/** Encodes one segment of a path, or a fragment. */
export function encodeSegment(text: string): string {
  return Array.from(text.toWellFormed(), (character) =>
    isNative(character) ? character : encodeURIComponent(character),
  ).join("");
}

function isNative(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  // RFC 3987 excludes the block E0000 to E0FFF, though it contains marks.
  return code >= 0xa0 && (code < 0xe0000 || code > 0xe0fff) && NATIVE.test(character);
}

/** A `%` that begins no escape, and characters that no part of a URI contains. */
const NOT_IN_URI = /%(?![0-9A-F]{2})|[^A-Z0-9._~:/?#[\]@!$&'()*+,;=%-]/giu;
/** Scheme and authority, path and query, and fragment. */
const URI_PARTS = /^([a-z][a-z0-9+.-]*:(?:\/\/[^/?#]*)?)?([^#]*)(#.*)?$/is;

/**
 * The address as a valid URI (RFC 3986). Browsers accept addresses with brackets, `|` or a single `%`, so a canonical web
 * address can contain them; here they are percent-encoded. A valid URI is not changed.
 */
export function validUri(address: string): string {
  const [, start = "", middle = "", fragment = ""] = URI_PARTS.exec(address.toWellFormed()) ?? [];
  const encoded = (text: string) =>
    text.replace(NOT_IN_URI, encodeURIComponent).replace(/[[\]#]/g, (character) => encodeURIComponent(character));
  const anchor = fragment === "" ? "" : `#${encoded(fragment.slice(1))}`;
  return start.replace(NOT_IN_URI, encodeURIComponent) + encoded(middle) + anchor;
}

/** A mail address as a URI (RFC 6068). */
export function mailtoUri(email: string): string {
  return `mailto:${encodeURI(email).replaceAll("?", "%3F").replaceAll("#", "%23")}`;
}
