import { join } from "node:path";
import { type LoggedRead, READS } from "../../archive/logs.ts";
import { HashedFile } from "../../archive/ocfl/hashed-file.ts";
import { logsOf } from "../../archive/versions.ts";
import type { ObjectRecord } from "../../db/objects.ts";

/** Opens the log of reads in a package, which has its folder. It is no part of the dataset: how often a server failed is nobody's research. */
export async function openReads(folder: string, version: number): Promise<HashedFile> {
  return HashedFile.create(join(folder, logsOf(version), READS));
}

/** Notes an object that was not simply read once, or in an earlier version; of all others there is nothing to say. */
export async function noteReads(reads: HashedFile, { key, attempts, error, verifiedIn }: ObjectRecord): Promise<void> {
  if (attempts === (verifiedIn === null ? 1 : 0) && error === null) return;
  await reads.write(`${JSON.stringify({ key, attempts, error } satisfies LoggedRead)}\n`);
}
