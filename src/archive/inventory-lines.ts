import { createHash } from "node:crypto";
import { datasetFolder } from "./layout.ts";
import { ArchiveCorrupt } from "./read-archived.ts";
import type { ArchiveReader } from "./reader.ts";
import { inventoryOf } from "./versions.ts";

/** A version of the OCFL object, and the SHA-512 of its inventory according to the receipt. */
export interface VersionInventory {
  number: number;
  inventory: string;
  /** The version of the OCFL object that archived the data: an earlier one if this one is a metadata revision. */
  dataNumber: number;
}

const LINE_FEED = 0x0a;
const VERSIONS = '  "versions": {';

/**
 * The lines of a version's manifest. Each has one digest, because the service wrote it (`ocfl/inventory.ts`). The
 * digest of the whole inventory is compared with the receipt at the end.
 *
 * @throws ArchiveCorrupt
 */
export async function* manifestLines(
  reader: ArchiveReader,
  datasetId: string,
  version: VersionInventory,
): AsyncGenerator<Buffer> {
  const path = `${datasetFolder(datasetId)}/${inventoryOf(version.number)}`;
  let isManifest = true;
  for await (const line of checkedLines(reader, path, version.inventory)) {
    isManifest &&= !line.equals(Buffer.from(VERSIONS));
    if (isManifest) yield line;
  }
}

/**
 * Parses a line of the manifest, `"digest": ["path", …]` with an optional comma. Returns empty values for other lines.
 */
export function contentOfLine(line: Buffer): [digest: string, paths: string[]] {
  const text = line.toString("utf8").replace(/,\s*$/, "");
  if (!text.endsWith("]")) return ["", []];
  const parsed = JSON.parse(`{${text}}`) as Record<string, string[]>;
  return Object.entries(parsed)[0] ?? ["", []];
}

/** The lines of a file. Its digest is verified at the end. @throws ArchiveCorrupt */
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
  if (hash.digest("hex") !== sha512)
    throw new ArchiveCorrupt(`${path} is not the inventory that the receipt was signed for`);
}
