import type { ArchiveReader } from "../reader.ts";
import { isForeignFolder } from "../survey.ts";

const DATASET = /^ocfl\/(?:[0-9a-f]{3}\/){3}[0-9a-f]{128}\//;
const TOMBSTONE = /^withdrawn\/[^/]+\/tombstone\.json$/;

/**
 * Whether the archive holds a dataset, a tombstone, or files of a dataset that is not published. Lists names until it finds
 * one. In an object store that is the first page of the listing. Skips unreadable folders that no dataset is stored in, such
 * as `lost+found`.
 */
export async function holdsDatasets(reader: ArchiveReader): Promise<boolean> {
  for await (const path of reader.names("ocfl", isForeignFolder)) if (DATASET.test(path)) return true;
  for await (const path of reader.names("withdrawn", isForeignFolder)) if (TOMBSTONE.test(path)) return true;
  return false;
}
