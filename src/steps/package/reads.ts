import { join } from "node:path";
import { LOGS, type LoggedRead, READS } from "../../archive/logs.ts";
import { HashedFile } from "../../archive/ocfl/hashed-file.ts";
import type { ObjectRecord } from "../../db/objects.ts";

/** Opens the log of reads in a package, which has its folder. It is no part of the dataset: how often a server failed is nobody's research. */
export async function openReads(folder: string): Promise<HashedFile> {
  return HashedFile.create(join(folder, LOGS, READS));
}

/** Notes an object that was not simply read once; of all others there is nothing to say. */
export async function noteReads(reads: HashedFile, { key, attempts, error }: ObjectRecord): Promise<void> {
  if (attempts === 1 && error === null) return;
  await reads.write(`${JSON.stringify({ key, attempts, error } satisfies LoggedRead)}\n`);
}
