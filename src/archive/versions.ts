/*
 * Where the parts of a version lie in its object's folder (docs/package-format.md).
 */

/** The files of a version, without a slash at the end. */
export function contentOf(version: number): string {
  return `v${version}/content`;
}

/** A version's own copy of its inventory. */
export function inventoryOf(version: number): string {
  return `v${version}/inventory.json`;
}

/** What stands outside the versions and belongs to one of them. */
export function logsOf(version: number): string {
  return `logs/v${version}`;
}

/** A version's source manifest. */
export function sourceManifestOf(version: number): string {
  return `${contentOf(version)}/metadata/source-manifest.jsonl`;
}

/** So much of an inventory that this archive wrote tells its head. */
export const HEAD_BYTES = 1_024;

/** The newest version that an inventory of this archive knows, told by its beginning; undefined for what is none. */
export function headOf(beginning: string): number | undefined {
  const digits = /"head": "v([1-9]\d*)"/.exec(beginning)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
