import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Reads a package from its folder only, without code of the service. */
export interface Package {
  folder: string;
  /** Logical path to content file, from the inventory. */
  files: Map<string, { sha512: string; file: string }>;
  manifest: Record<string, unknown>[];
}

interface Inventory {
  id: string;
  manifest: Record<string, string[]>;
  head: string;
  versions: Record<string, { state: Record<string, string[]> }>;
}

/** Finds a version of a dataset below the archive, the newest unless told, by reading inventories. */
export async function findPackage(archive: string, datasetId: string, version?: number): Promise<Package> {
  for (const folder of await objectFolders(join(archive, "ocfl"))) {
    const inventory: Inventory = JSON.parse(await readFile(join(folder, "inventory.json"), "utf8"));
    if (inventory.id !== `urn:uuid:${datasetId}`) continue;
    const name = version === undefined ? inventory.head : `v${version}`;
    const files = new Map<string, { sha512: string; file: string }>();
    for (const [sha512, paths] of Object.entries(inventory.versions[name]?.state ?? {})) {
      // Files of equal content may share any of the digest's content files.
      const content = inventory.manifest[sha512] ?? [];
      for (const path of paths) files.set(path, { sha512, file: join(folder, content[0] ?? "missing") });
    }
    const lines = await readFile(join(folder, name, "content/metadata/source-manifest.jsonl"), "utf8");
    const manifest = lines
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
    return { folder, files, manifest };
  }
  throw new Error(`No package of ${datasetId} in ${archive}`);
}

async function objectFolders(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  if (entries.some(({ name }) => name === "0=ocfl_object_1.1")) return [folder];
  const deeper = entries.filter((entry) => entry.isDirectory() && entry.name !== "extensions");
  return (await Promise.all(deeper.map(({ name }) => objectFolders(join(folder, name))))).flat();
}

/** Lower-case hex SHA-512 of a file or of bytes. */
export async function sha512(content: string | Uint8Array): Promise<string> {
  const hash = createHash("sha512");
  if (typeof content !== "string") return hash.update(content).digest("hex");
  for await (const chunk of createReadStream(content)) hash.update(chunk);
  return hash.digest("hex");
}
