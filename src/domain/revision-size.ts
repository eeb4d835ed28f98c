/**
 * Disk space that the inventory of an OCFL object needs for each file in each version: a digest, a path and punctuation.
 * A metadata revision adds an inventory with all versions before it. 160 bytes were measured with short paths.
 */
export const REVISION_BYTES_PER_OBJECT = 256;
