/**
 * Escapes an odd key. The mapping is injective, and the result has no empty, `.` or `..` segments and no NUL. File names end
 * with a single `%` and folder names never do, so no escaped path is a folder of another.
 */
export function escapeKey(key: string): string {
  const segments = key.split("/").map(escapeSegment);
  const name = segments.pop();
  const folders = segments.map((segment) => (segment === "" ? "%2F" : segment));
  return [...folders, `${name}%`].join("/");
}

function escapeSegment(segment: string): string {
  if (segment === ".") return "%2E";
  if (segment === "..") return "%2E%2E";
  return segment.replaceAll("%", "%25").replaceAll("\0", "%00");
}

/**
 * Reverses {@link escapeKey}.
 * @throws RangeError if the text is not an escaped key.
 */
export function unescapeKey(text: string): string {
  const key = keyEscapedAs(text);
  if (key === undefined) throw new RangeError(`“${text}” is not an escaped key.`);
  return key;
}

/** The key that {@link escapeKey} escapes as this text; undefined if there is none. */
export function keyEscapedAs(text: string): string | undefined {
  const key = text
    .replace(/%$/, "")
    .split("/")
    .map((segment) => (segment === "%2F" ? "" : unescapeSegment(segment)))
    .join("/");
  // Only the canonical spelling is valid: two names for one key would break the bijection.
  return escapeKey(key) === text ? key : undefined;
}

const unescaped: Readonly<Record<string, string>> = { "%25": "%", "%00": "\0", "%2E": "." };

function unescapeSegment(segment: string): string {
  return segment.replace(/%25|%00|%2E/g, (written) => unescaped[written] ?? written);
}
