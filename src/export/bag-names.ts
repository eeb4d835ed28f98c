import { unescapeKey } from "../domain/path.ts";
import { climbs, type NameOf } from "./package-name.ts";

const PAYLOAD = "data/";
/** The folder of the payload for objects whose keys cannot be file names. Its name contains no percent sign. */
const ODD_KEYS = "=keys";

/**
 * Returns the names of a dataset's files and folders in a bag. The path of an odd key begins with the dataset's marker
 * and contains percent signs, which RFC 8493 encodes in manifests and bagit.py does not decode. In a bag such a file is
 * `data/=keys/` and the key, with `=` in place of each `%` of the archive's own escapes (docs/package-format.md).
 *
 * Plain keys keep their path, with two exceptions that are escaped as well: keys whose first segment is `=keys`, so
 * that no two files have the same name, and keys that would refer outside their folder on Windows.
 *
 * @param marker the dataset's marker, from `markerFor`
 */
export function bagNames(marker: string): NameOf {
  const odd = `${PAYLOAD}${marker}/`;
  return (path) => {
    if (!path.startsWith(PAYLOAD)) return path;
    const isFolder = path.endsWith("/");
    const isOdd = path.startsWith(odd);
    // The escaped form of a key that ends with a slash is that of its folder followed by one character.
    const key = isOdd ? unescapeKey(path.slice(odd.length) + (isFolder ? "%" : "")) : path.slice(PAYLOAD.length);
    if (!isOdd && !/^=keys(?:\/|$)/.test(key) && !climbs(path)) return path;
    return isFolder ? escaped(key).slice(0, -1) : escaped(key);
  };
}

/**
 * Escapes a key like `escapeKey`: file names end in a bare `=` and folder names never do, so no file has the name of a
 * folder.
 */
function escaped(key: string): string {
  const segments = key.split("/").map(escapedSegment);
  const name = segments.pop();
  const folders = segments.map((segment) => (segment === "" ? "=2F" : segment));
  return [PAYLOAD + ODD_KEYS, ...folders, `${name}=`].join("/");
}

/**
 * Escapes `=`, the characters that RFC 8493 encodes, separators of Windows, and characters that no file name can
 * contain.
 */
function escapedSegment(segment: string): string {
  if (segment === ".") return "=2E";
  if (segment === "..") return "=2E=2E";
  return segment.replace(
    /[\0\n\r%=\\]/g,
    (character) => `=${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
}
