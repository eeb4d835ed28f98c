/**
 * The normative mapping between the keys of a bucket and the logical paths of a dataset (docs/package-format.md).
 * A key that OCFL 1.1 (section 3.5.3.1) allows as a logical path, and that is no folder of another key, has the path
 * `data/` + key. Every other key is odd: its path is `data/` + marker + `/` + escaped key. Both ways lose nothing.
 */

const root = "data/";
const markerBase = "%keys";

/** What the place of a key depends on besides the key: the other keys of its dataset. */
export interface Surroundings {
  /** True when another key of the dataset begins with this key and a `/`. */
  isFolder: boolean;
  /** The dataset's marker, from {@link markerFor}. */
  marker: string;
}

/**
 * Whether a key can be a logical path as it is: no empty, `.` or `..` segment (OCFL 1.1), and no NUL, which neither
 * PostgreSQL nor a file system can hold. Whether it is also a folder of another key is for its dataset to tell.
 */
export function isPlainKey(key: string): boolean {
  return (
    !key.includes("\0") && key.split("/").every((segment) => segment !== "" && segment !== "." && segment !== "..")
  );
}

/**
 * An odd key as a path of its own: injective, without empty, `.` or `..` segments and without NUL. File names end in a
 * bare `%` and folder names never do, hence no such path is a folder of another.
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
 * The key that {@link escapeKey} made this text from.
 * @throws RangeError when it cannot have made it.
 */
export function unescapeKey(text: string): string {
  const key = text
    .replace(/%$/, "")
    .split("/")
    .map((segment) => (segment === "%2F" ? "" : unescapeSegment(segment)))
    .join("/");
  // Of all spellings only the canonical one is right: two names for one key would break the bijection.
  if (escapeKey(key) !== text) throw new RangeError("This is not an escaped key.");
  return key;
}

const unescaped: Readonly<Record<string, string>> = { "%25": "%", "%00": "\0", "%2E": "." };

function unescapeSegment(segment: string): string {
  return segment.replace(/%25|%00|%2E/g, (written) => unescaped[written] ?? written);
}

/** How many `%` follow `%keys` when the key’s first segment is `%keys`, `%keys%`, …; else `undefined`. */
export function markerRun(key: string): number | undefined {
  const [, run] = /^%keys(%*)(?:\/|$)/.exec(key) ?? [];
  return run?.length;
}

/**
 * The folder under which a dataset keeps its odd keys: `%keys` with as many more `%` as it takes to be the first
 * segment of none of its keys. Takes first segments or whole keys.
 */
export function markerFor(firstSegments: Iterable<string>): string {
  let longest = -1;
  for (const segment of firstSegments) longest = Math.max(longest, markerRun(segment) ?? -1);
  return markerBase + "%".repeat(longest + 1);
}

/** The logical path of a key in its dataset. */
export function pathOf(key: string, { isFolder, marker }: Surroundings): string {
  return isPlainKey(key) && !isFolder ? root + key : `${root}${marker}/${escapeKey(key)}`;
}

/**
 * The key whose logical path this is, in the dataset with this marker.
 * @throws RangeError when {@link pathOf} cannot have made it.
 */
export function keyOf(path: string, marker: string): string {
  if (!path.startsWith(root)) throw new RangeError("This path is not below data/.");
  const rest = path.slice(root.length);
  const odd = `${marker}/`;
  if (rest.startsWith(odd)) return unescapeKey(rest.slice(odd.length));
  if (!isPlainKey(rest)) throw new RangeError("This is not the path of a key.");
  return rest;
}
