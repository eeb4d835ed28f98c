import { contentOfLine, manifestLines, type VersionInventory } from "./inventory-lines.ts";
import { datasetFolder } from "./layout.ts";
import { ArchiveCorrupt } from "./read-archived.ts";
import type { ArchiveReader } from "./reader.ts";

const MANIFEST = "metadata/source-manifest.jsonl";
/** The files of a dataset that are not objects of the bucket, by their logical paths, in order (docs/package-format.md). */
const SERVICE_FILES = [
  "metadata/datacite.json",
  "metadata/datacite.xml",
  MANIFEST,
  "metadata/submission.json",
  "ro-crate-metadata.json",
] as const;

/** Files with values of the operator's fields, and their schemas; none in most datasets. */
const FIELD_FILE = /^metadata\/fields-[a-z][a-z0-9-]*(?:\.schema)?\.json$/;

/** Whether a file has values of the operator's fields, or their schema. */
export function isFieldFile(path: string): boolean {
  return FIELD_FILE.test(path);
}

/** A service file as the archive stores it. */
export interface ServiceFile {
  /** Logical path. */
  path: string;
  /** Relative to the object's folder. */
  contentPath: string;
  /** Lower-case hex. */
  sha512: string;
  bytes: number;
}

/**
 * Finds a version's service files in its inventory. The inventory is read once as a stream, and must be the one of the
 * receipt. It has one digest on each line, because the service wrote it (`inventory.ts`).
 *
 * @throws ArchiveCorrupt if the inventory differs from the receipt, does not name a file, or a file is missing
 */
export async function findServiceFiles(
  reader: ArchiveReader,
  datasetId: string,
  version: VersionInventory,
): Promise<ServiceFile[]> {
  const folder = datasetFolder(datasetId);
  const { number, dataNumber } = version;
  // A metadata revision has its own files, except the source manifest.
  const contentPaths = new Map(
    SERVICE_FILES.map((path) => [`v${path === MANIFEST ? dataNumber : number}/content/${path}`, path]),
  );
  const found = new Map<string, Omit<ServiceFile, "bytes">>();
  const fieldFiles = `v${number}/content/metadata/fields-`;
  const needles = [...[...contentPaths.keys()].map((path) => `"${path}"`), `"${fieldFiles}`];
  for await (const line of manifestLines(reader, datasetId, version)) {
    if (!needles.some((needle) => line.includes(needle))) continue;
    const [sha512, paths] = contentOfLine(line);
    for (const contentPath of paths) {
      const path = contentPaths.get(contentPath) ?? fieldFile(contentPath, fieldFiles);
      if (path !== undefined) found.set(path, { path, contentPath, sha512 });
    }
  }
  const paths = [...new Set([...SERVICE_FILES, ...found.keys()])].sort();
  return Promise.all(paths.map((path) => withSize(reader, folder, path, found.get(path))));
}

function fieldFile(contentPath: string, beginning: string): string | undefined {
  const path = contentPath.startsWith(beginning) ? `metadata/fields-${contentPath.slice(beginning.length)}` : "";
  return isFieldFile(path) ? path : undefined;
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
