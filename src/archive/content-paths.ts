import { contentOfLine, manifestLines, type VersionInventory } from "./inventory-lines.ts";
import type { EarlierContent } from "./ocfl/earlier-content.ts";
import type { ArchiveReader } from "./reader.ts";

/** Lines that are taken into the table at a time. */
const AT_A_TIME = 1_000;

/*
 * Where the bytes of a later version's files lie: what it kept, and what any version before had of the same digest, lies
 * with that version. Its inventory knows.
 */

/** The place of content by its digest, in the dataset's folder; undefined where the version has none of it. */
export async function findContentPath(
  reader: ArchiveReader,
  datasetId: string,
  version: VersionInventory,
  sha512: string,
): Promise<string | undefined> {
  for await (const line of manifestLines(reader, datasetId, version)) {
    if (!line.includes(sha512)) continue;
    const [digest, paths] = contentOfLine(line);
    if (digest === sha512) return paths[0];
  }
  return undefined;
}

/** Takes the places of all content into a table. @throws Unsound when the inventory is not the one of the receipt */
export async function takeContentPaths(
  reader: ArchiveReader,
  datasetId: string,
  version: VersionInventory,
  table: EarlierContent,
): Promise<void> {
  let some: [digest: string, path: string][] = [];
  for await (const line of manifestLines(reader, datasetId, version)) {
    const [digest, [path]] = contentOfLine(line);
    if (path !== undefined) some.push([digest, path]);
    if (some.length < AT_A_TIME) continue;
    table.add(some);
    some = [];
  }
  table.add(some);
}
