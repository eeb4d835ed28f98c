import { keyEscapedAs, unescapeKey } from "./escaped-keys.ts";

/** Returns the name of a file or folder of a dataset in a package. A folder is a path that ends with a slash. */
export type NameOf = (path: string) => string;

/** A `..` between separators, including backslashes: on Windows such a name refers outside its folder. */
const CLIMBS = /(?:^|[\\/]|%(?:25)*5C)\.\.(?:[\\/]|%(?:25)*5C|$)/i;

/**
 * Whether a path would refer outside its folder if backslashes are separators, or looks like the escaped form of such a
 * path.
 */
function climbs(path: string): boolean {
  return CLIMBS.test(path);
}

/**
 * The name of a file in a ZIP: its unchanged path, because RO-Crate and manifests refer to paths. Only a path that
 * would refer outside its folder on Windows has `%5C` for `\` and `%25` for `%`. Names that look like such an escaped
 * path are escaped too, so that no two files have the same name.
 */
export function nameInPackage(path: string): string {
  if (!climbs(path)) return path;
  return path.replaceAll("%", "%25").replaceAll("\\", "%5C");
}

const PAYLOAD = "data/";
/** The folder of the payload for objects whose keys cannot be file names. Its name contains no percent sign. */
const ODD_KEYS = "=keys";
/** No path has a folder with an empty name. */
const NO_MARKER = "";

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
 * The names that a file of a dataset can have in an unpacked package: its path first, and those of a ZIP and of a bag if they are
 * others. The marker of the dataset is not known, so that a plain key that looks like an odd one has a name that no bag contains.
 */
export function namesInPackages(path: string): string[] {
  const [, marker = "", rest = ""] = /^data\/(%keys%*)\/(.*)$/s.exec(path) ?? [];
  const name = bagNames(keyEscapedAs(rest) === undefined ? NO_MARKER : marker);
  return [...new Set([path, nameInPackage(path), name(path)])];
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
