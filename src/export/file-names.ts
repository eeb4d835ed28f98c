/** A `..` between separators, where a backslash counts as one: on Windows such a name leads out of its folder. */
const CLIMBS = /(?:^|[\\/]|%(?:25)*5C)\.\.(?:[\\/]|%(?:25)*5C|$)/i;

/**
 * The name of a file in a ZIP or a bag: its path, whatever it holds, because RO-Crate and manifests speak of paths. Only one
 * that would climb out of its folder where backslashes separate gets `%5C` for `\` and `%25` for `%`; names that look as if
 * that had been done to them get it, too, so that no two files have the same name.
 */
export function nameInPackage(path: string): string {
  if (!CLIMBS.test(path)) return path;
  return path.replaceAll("%", "%25").replaceAll("\\", "%5C");
}
