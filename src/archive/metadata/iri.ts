/**
 * Characters that an IRI may hold as they are (RFC 3987, section 2.2, `ucschar`): letters, marks, numbers, punctuation and
 * symbols outside of ASCII. Not those that section 4.1 forbids or that cannot be seen: spaces, controls, marks of
 * direction, private and unassigned characters.
 */
const NATIVE = /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u;

/**
 * A path as a relative IRI reference. RO-Crate 1.2, “Encoding file paths in `@id`s”: international characters SHOULD be
 * native, special ones such as space, quotation mark and `%` are percent-encoded. Each part is encoded by itself, `:`
 * included, so that no path is taken for a scheme. `decodeURIComponent` leads back to the path.
 */
export function encodePath(path: string): string {
  return path.split("/").map(encodeSegment).join("/");
}

/** One part of a path, or a fragment. */
export function encodeSegment(text: string): string {
  return Array.from(text.toWellFormed(), (character) =>
    isNative(character) ? character : encodeURIComponent(character),
  ).join("");
}

function isNative(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  // The block E0000 to E0FFF is none of the ranges, though it holds marks.
  return code >= 0xa0 && (code < 0xe0000 || code > 0xe0fff) && NATIVE.test(character);
}
