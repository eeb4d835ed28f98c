import { escapeKey, unescapeKey } from "../../../packages/rules/src/index.ts";

/** A key of a listing that is a prefix of the last key, so that its length identifies it. */
export interface OpenKey {
  length: number;
  /** Its sequence number in the listing. */
  seq: number;
}

/**
 * Finds the keys that are folders of later keys (`a` beside `a/b`) in a listing in byte order. All keys between a folder
 * and its contents begin with the key of the folder, so only prefixes of the last key can still be folders. Each folder is
 * reported once.
 */
export class OpenFolders {
  #last: string;
  readonly #open: OpenKey[];

  /** Starts at the beginning, or continues from a saved {@link state}. */
  constructor(last = "", open: readonly OpenKey[] = []) {
    this.#last = last;
    this.#open = [...open];
  }

  /**
   * Adds the next key, which must be greater than all previous keys. Returns the previous keys that are its folders.
   * `watch` states whether this key must be reported if it is a folder of a later key.
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

  /** The keys that can still be folders of later keys, shortest first; at most one per character of the last key. */
  get state(): readonly OpenKey[] {
    return this.#open;
  }
}
/**
 * The normative mapping between the keys of a bucket and the logical paths of a dataset (docs/package-format.md).
 * A key that OCFL 1.1 (section 3.5.3.1) allows as a logical path, and that is not a folder of another key, has the path
 * `data/` + key. Every other key is odd: its path is `data/` + marker + `/` + escaped key. The mapping is reversible.
 */

const root = "data/";
const markerBase = "%keys";

/** Properties of the other keys of a dataset on which the path of a key depends. */
interface Surroundings {
  /** True when another key of the dataset begins with this key and a `/`. */
  isFolder: boolean;
  /** The dataset's marker, from {@link markerFor}. */
  marker: string;
}

/**
 * Whether a key can be a logical path without escaping: no empty, `.` or `..` segment (OCFL 1.1), and no NUL, which neither
 * PostgreSQL nor a file system can store. Does not consider whether the key is a folder of another key.
 */
export function isPlainKey(key: string): boolean {
  return (
    !key.includes("\0") && key.split("/").every((segment) => segment !== "" && segment !== "." && segment !== "..")
  );
}

/** Number of `%` after `%keys` if the key’s first segment is `%keys`, `%keys%`, …; else `undefined`. */
export function markerRun(key: string): number | undefined {
  const [, run] = /^%keys(%*)(?:\/|$)/.exec(key) ?? [];
  return run?.length;
}

/**
 * The folder for the odd keys of a dataset: `%keys` followed by as many `%` as are necessary to differ from the first
 * segment of every key. Accepts first segments or whole keys.
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
 * The key of a logical path, in the dataset with this marker.
 * @throws RangeError if {@link pathOf} does not produce this path for any key.
 */
export function keyOf(path: string, marker: string): string {
  if (!path.startsWith(root)) throw new RangeError(`The path “${path}” is not below data/.`);
  const rest = path.slice(root.length);
  const odd = `${marker}/`;
  if (rest.startsWith(odd)) return unescapeKey(rest.slice(odd.length));
  if (!isPlainKey(rest)) throw new RangeError(`“${path}” is not the path of a key.`);
  return rest;
}

/**
 * Compares two keys in the order of S3 listings: by the bytes of their UTF-8, which is the order of their code points.
 * JavaScript compares UTF-16 units, where surrogates come before U+E000 to U+FFFF.
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

/** Orders surrogates, which encode characters from U+10000 on, after all other units. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit > 0xdfff ? unit - 0x800 : unit + 0x2000;
}

/** A path of a file as part of the address of a web page or a download. */
export function addressPath(path: string): string {
  return path.toWellFormed().split("/").map(encodeURIComponent).join("/");
}
