import type { ArchiveReader } from "./reader.ts";

const DATASET = /^ocfl\/(?:[0-9a-f]{3}\/){3}[0-9a-f]{128}\//;
const TOMBSTONE = /^withdrawn\/[^/]+\/tombstone\.json$/;

/**
 * Whether the archive holds a dataset, a tombstone, or files of a dataset that is not published. Lists names up to the
 * first one, which is one page of an object store's listing.
 */
export async function holdsDatasets(reader: ArchiveReader): Promise<boolean> {
  for await (const { path } of reader.list("ocfl")) if (DATASET.test(path)) return true;
  for await (const { path } of reader.list("withdrawn")) if (TOMBSTONE.test(path)) return true;
  return false;
}
