/** How a package names a file of a dataset, or a folder: a path that ends with a slash. */
export type NameOf = (path: string) => string;

/** A `..` between separators, where a backslash counts as one: on Windows such a name leads out of its folder. */
const CLIMBS = /(?:^|[\\/]|%(?:25)*5C)\.\.(?:[\\/]|%(?:25)*5C|$)/i;

/** Whether a path would lead out of its folder where a backslash is a separator, or looks as if that had been escaped. */
export function climbs(path: string): boolean {
  return CLIMBS.test(path);
}

/**
 * The name of a file in a ZIP: its path, whatever it holds, because RO-Crate and manifests speak of paths. Only one
 * that would climb out of its folder where backslashes separate gets `%5C` for `\` and `%25` for `%`; names that look as if
 * that had been done to them get it, too, so that no two files have the same name.
 */
export function nameInPackage(path: string): string {
  if (!climbs(path)) return path;
  return path.replaceAll("%", "%25").replaceAll("\\", "%5C");
}
