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
