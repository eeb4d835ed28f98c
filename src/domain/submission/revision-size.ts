/**
 * Disk space that the inventory of an OCFL object needs for each file in each version: a digest, a path and punctuation.
 * A metadata revision adds an inventory with all versions before it. 160 bytes were measured with short paths.
 */
export const REVISION_BYTES_PER_OBJECT = 256;

/**
 * The disk space that a metadata revision needs at most.
 * @param ocflVersion the version of the OCFL object that it becomes
 * @param submission the submission that became the version of the dataset
 */
export function revisionBytes(
  ocflVersion: number,
  { objects_listed, objects_excluded }: { objects_listed: number; objects_excluded: number },
): number {
  return Math.max(1, ocflVersion * (objects_listed - objects_excluded) * REVISION_BYTES_PER_OBJECT);
}
