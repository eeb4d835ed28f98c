/** A key of a listing, by its length: it is the beginning of the listing's last key. */
export interface OpenKey {
  length: number;
  /** Its place in the listing. */
  seq: number;
}

/**
 * Finds, while a listing goes by in byte order, the keys that are folders of later ones: `a` beside `a/b`. Between a
 * folder and what lies in it every key begins with the folder's, so that only the keys with which the last one begins
 * are still open. A key that was found once is not told again.
 */
export class OpenFolders {
  #last: string;
  readonly #open: OpenKey[];

  /** Begins anew, or goes on where {@link state} was taken. */
  constructor(last = "", open: readonly OpenKey[] = []) {
    this.#last = last;
    this.#open = [...open];
  }

  /**
   * Takes the next key, which comes after all before it. Gives those before it that prove to be its folders; `watch`
   * says whether it is of interest itself when others turn out to lie below it.
   */
  next(key: string, seq: number, watch = true): (OpenKey & { key: string })[] {
    const found: (OpenKey & { key: string })[] = [];
    for (let at = this.#open.length - 1; at >= 0; at--) {
      const open = this.#open[at] as OpenKey;
      const isBeginning = key.startsWith(this.#last.slice(0, open.length));
      if (isBeginning && key[open.length] !== "/") continue;
      if (isBeginning) found.push({ ...open, key: key.slice(0, open.length) });
      this.#open.splice(at, 1);
    }
    this.#last = key;
    if (watch) this.#open.push({ length: key.length, seq });
    return found;
  }

  /** The keys that later ones can still make folders, shortest first; at most one a character of the last key. */
  get state(): readonly OpenKey[] {
    return this.#open;
  }
}
/**
 * The normative mapping between the keys of a bucket and the logical paths of a dataset (docs/package-format.md).
 * A key that OCFL 1.1 (section 3.5.3.1) allows as a logical path, and that is no folder of another key, has the path
 * `data/` + key. Every other key is odd: its path is `data/` + marker + `/` + escaped key. Both ways lose nothing.
 */

const root = "data/";
const markerBase = "%keys";

/** What the place of a key depends on besides the key: the other keys of its dataset. */
interface Surroundings {
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

/**
 * Compares two keys in the order in which S3 lists: that of the bytes of their UTF-8, which is that of their code
 * points. JavaScript's own order is that of UTF-16, where the halves of a pair come before U+E000 to U+FFFF.
 */
export function compareKeys(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const one = a.charCodeAt(at);
    const other = b.charCodeAt(at);
    if (one !== other) return rank(one) - rank(other);
  }
  return a.length - b.length;
}

/** Puts the halves of pairs, which stand for characters from U+10000 on, behind everything else. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit > 0xdfff ? unit - 0x800 : unit + 0x2000;
}
