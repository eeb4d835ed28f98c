import { contentOfLine, folderOf, manifestLines, type VersionInventory } from "./inventory-lines.ts";
import { ArchiveCorrupt } from "./read-archived.ts";
import type { ArchiveReader } from "./reader.ts";

/** The files of a dataset that are not objects of the bucket, by their logical paths, in order (docs/package-format.md). */
const SERVICE_FILES = [
  "metadata/datacite.json",
  "metadata/datacite.xml",
  "metadata/source-manifest.jsonl",
  "metadata/submission.json",
  "ro-crate-metadata.json",
] as const;

/** One of them, as it lies in the archive. */
export interface ServiceFile {
  /** Logical path. */
  path: string;
  /** In the object's folder. */
  contentPath: string;
  /** Lower-case hex. */
  sha512: string;
  bytes: number;
}

/**
 * Finds a version's service files through its inventory, which goes by once, whatever its length, and must be the one of the
 * receipt. It has a digest a line, because Accession wrote it (`inventory.ts`).
 *
 * @throws ArchiveCorrupt when the inventory is another or names one of them not, or one of them is missing
 */
export async function findServiceFiles(
  reader: ArchiveReader,
  datasetId: string,
  version: VersionInventory,
): Promise<ServiceFile[]> {
  const folder = folderOf(datasetId);
  const contentPaths = new Map(SERVICE_FILES.map((path) => [`v${version.number}/content/${path}`, path]));
  const found = new Map<string, Omit<ServiceFile, "bytes">>();
  const needles = ["metadata/", "ro-crate-metadata.json"].map((name) => `"v${version.number}/content/${name}`);
  for await (const line of manifestLines(reader, datasetId, version)) {
    if (!needles.some((needle) => line.includes(needle))) continue;
    const [sha512, paths] = contentOfLine(line);
    for (const contentPath of paths) {
      const path = contentPaths.get(contentPath);
      if (path !== undefined) found.set(path, { path, contentPath, sha512 });
    }
  }
  return Promise.all(SERVICE_FILES.map((path) => withSize(reader, folder, path, found.get(path))));
}

async function withSize(
  reader: ArchiveReader,
  folder: string,
  path: string,
  file: Omit<ServiceFile, "bytes"> | undefined,
): Promise<ServiceFile> {
  const bytes = file && (await reader.size(`${folder}/${file.contentPath}`));
  if (file === undefined || bytes === undefined) throw new ArchiveCorrupt(`“${path}” is missing in the archive`);
  return { ...file, bytes };
}
