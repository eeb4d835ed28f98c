/*
 * Paths of the parts of a version in its object's folder (docs/package-format.md).
 */

/** The files of a version, without a slash at the end. */
export function contentOf(version: number): string {
  return `v${version}/content`;
}

/** The inventory in a version's folder. */
export function inventoryOf(version: number): string {
  return `v${version}/inventory.json`;
}

/** The logs of a version, which are outside the version folders. */
export function logsOf(version: number): string {
  return `logs/v${version}`;
}

/** A version's source manifest. */
export function sourceManifestOf(version: number): string {
  return `${contentOf(version)}/metadata/source-manifest.jsonl`;
}

/** Number of bytes at the beginning of an inventory of this service that include its head. */
export const HEAD_BYTES = 1_024;

/** The newest version according to the beginning of an inventory of this service; undefined for any other text. */
export function headOf(beginning: string): number | undefined {
  const digits = /"head": "v([1-9]\d*)"/.exec(beginning)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
