import { createHash } from "node:crypto";
import { objectFolder } from "./ocfl/layout.ts";
import type { ArchiveReader } from "./reader.ts";
import { Unsound } from "./unsound.ts";

/** The files of a dataset that are not objects of the bucket, by their logical paths, in order (docs/package-format.md). */
export const OWN_FILES = [
  "metadata/datacite.json",
  "metadata/datacite.xml",
  "metadata/source-manifest.jsonl",
  "metadata/submission.json",
  "ro-crate-metadata.json",
] as const;

/** One of them, as it lies in the archive. */
export interface OwnFile {
  /** Logical path. */
  path: string;
  /** In the object's folder. */
  contentPath: string;
  /** Lower-case hex. */
  sha512: string;
  bytes: number;
}

/** A version, and the SHA-512 of its inventory as the receipt has it. */
export interface VersionInventory {
  number: number;
  inventory: string;
}

const LINE_FEED = 0x0a;

/** Where a dataset lies, below the archive. */
export function folderOf(datasetId: string): string {
  return `ocfl/${objectFolder(`urn:uuid:${datasetId}`)}`;
}

/**
 * Finds a version's own files through its inventory, which goes by once, whatever its length, and must be the one of the
 * receipt. It has a digest a line, because Accession wrote it (`inventory.ts`).
 *
 * @throws Unsound when the inventory is another or names one of them not, or one of them is missing
 */
export async function findOwnFiles(
  reader: ArchiveReader,
  datasetId: string,
  version: VersionInventory,
): Promise<OwnFile[]> {
  const folder = folderOf(datasetId);
  const contentPaths = new Map(OWN_FILES.map((path) => [`v${version.number}/content/${path}`, path]));
  const found = new Map<string, Omit<OwnFile, "bytes">>();
  const needles = ["metadata/", "ro-crate-metadata.json"].map((name) => `"v${version.number}/content/${name}`);
  for await (const line of checkedLines(reader, `${folder}/v${version.number}/inventory.json`, version.inventory)) {
    if (!needles.some((needle) => line.includes(needle))) continue;
    const [sha512, paths] = lineOf(line.toString("utf8"));
    for (const contentPath of paths) {
      const path = contentPaths.get(contentPath);
      if (path !== undefined) found.set(path, { path, contentPath, sha512 });
    }
  }
  return Promise.all(OWN_FILES.map((path) => withSize(reader, folder, path, found.get(path))));
}

async function withSize(
  reader: ArchiveReader,
  folder: string,
  path: string,
  file: Omit<OwnFile, "bytes"> | undefined,
): Promise<OwnFile> {
  const bytes = file && (await reader.size(`${folder}/${file.contentPath}`));
  if (file === undefined || bytes === undefined) throw new Unsound(`“${path}” is missing in the archive`);
  return { ...file, bytes };
}

/** A line of the manifest: `"digest": ["path", …]`, and perhaps a comma. */
function lineOf(line: string): [digest: string, paths: string[]] {
  const parsed = JSON.parse(`{${line.replace(/,\s*$/, "")}}`) as Record<string, string[]>;
  return Object.entries(parsed)[0] ?? ["", []];
}

/** The lines of a file; whether it is the one that was written is known at the end. @throws Unsound */
async function* checkedLines(reader: ArchiveReader, path: string, sha512: string): AsyncGenerator<Buffer> {
  const hash = createHash("sha512");
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of await reader.read(path)) {
    hash.update(piece as Buffer);
    const bytes = Buffer.concat([rest, piece as Buffer]);
    let at = 0;
    for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, at)) {
      yield bytes.subarray(at, end);
      at = end + 1;
    }
    rest = bytes.subarray(at);
  }
  if (hash.digest("hex") !== sha512) throw new Unsound(`${path} is not the inventory of the receipt`);
}
