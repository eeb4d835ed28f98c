import type { BigIntStats } from "node:fs";

/** Inode number and time of the last change of a stored file: they identify its content while it is not changed. */
export function identityOf({ ino, mtimeNs }: Pick<BigIntStats, "ino" | "mtimeNs">): string {
  return `${ino}:${mtimeNs}`;
}
