import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Findings } from "./observed-run.ts";

/** Reads a dataset from its folder only. */
export interface Dataset {
  id: string;
  folder: string;
  /** By the number of the dataset's version. Metadata revisions are versions of the OCFL object only. */
  versions: Map<number, Version>;
}

export interface Version {
  id: string;
  folder: string;
  /** The version of the OCFL object. */
  ocflVersion: number;
  /** Logical path → digest from the inventory, and size of the file on disk. */
  files: Map<string, { sha512: string; bytes: number }>;
  manifest: ManifestLine[];
}

export interface ManifestLine {
  key: string;
  bytes: number;
  path: string;
  sha512?: string;
  verifiedBy?: string;
  verifiedIn?: number;
  userMetadata?: Record<string, string>;
  checksums?: Record<string, string>;
  excluded?: { reason: string; code: string };
}

interface Inventory {
  id: string;
  type: string;
  digestAlgorithm: string;
  head: string;
  manifest: Record<string, string[]>;
  versions: Record<string, { state: Record<string, string[]>; message?: string; user?: object }>;
}

const HERE = "files and inventory agree";
const ROOT_NAMES = ["0=ocfl_1.1", "extensions", "ocfl_layout.json"];
const OBJECT_NAMES = ["0=ocfl_object_1.1", "inventory.json", "inventory.json.sha512", "logs"];
const VERSION_NAMES = ["content", "inventory.json", "inventory.json.sha512"];

/** Checks a storage root and all its objects, and reads every byte. */
export async function walkRoot(root: string, findings: Findings): Promise<Dataset[]> {
  const declaration = await textOf(join(root, "0=ocfl_1.1"));
  findings.expect(
    declaration === "ocfl_1.1\n",
    HERE,
    `the storage root has the declaration ${JSON.stringify(declaration)}`,
  );
  const layout = await textOf(join(root, "ocfl_layout.json"));
  findings.expect(
    layout.includes('"0004-hashed-n-tuple-storage-layout"'),
    HERE,
    "ocfl_layout.json names another layout",
  );
  const datasets: Dataset[] = [];
  const visit = async (folder: string, depth: number): Promise<void> => {
    const entries = await readdir(folder, { withFileTypes: true });
    if (depth === 4) {
      datasets.push(await walkObject(root, folder, findings));
      return;
    }
    findings.expect(entries.length > 0, HERE, `${relative(root, folder)} is an empty folder`);
    for (const entry of entries) {
      if (depth === 0 && ROOT_NAMES.includes(entry.name)) continue;
      const name = relative(root, join(folder, entry.name));
      const fits = entry.isDirectory() && (depth === 3 ? /^[0-9a-f]{128}$/ : /^[0-9a-f]{3}$/).test(entry.name);
      if (findings.expect(fits, "no partial datasets", `${name} does not belong in a storage root`)) {
        await visit(join(folder, entry.name), depth + 1);
      }
    }
  };
  await visit(root, 0);
  return datasets;
}

async function walkObject(root: string, folder: string, findings: Findings): Promise<Dataset> {
  const place = relative(root, folder);
  const agree = (holds: boolean, detail: string) => findings.expect(holds, HERE, `${place}: ${detail}`);
  const nothing: Dataset = { id: "", folder, versions: new Map() };
  const inventoryText = await textOf(join(folder, "inventory.json"));
  let inventory: Inventory;
  try {
    inventory = JSON.parse(inventoryText);
  } catch {
    findings.expect(false, "no partial datasets", `${place}: the inventory is missing or unreadable`);
    return nothing;
  }
  const digest = createHash("sha512").update(inventory.id).digest("hex");
  const expected = [digest.slice(0, 3), digest.slice(3, 6), digest.slice(6, 9), digest].join("/");
  agree(place === expected, `is not in the folder of its id ${inventory.id}`);
  agree((await textOf(join(folder, "0=ocfl_object_1.1"))) === "ocfl_object_1.1\n", "the declaration is wrong");
  const numbers = Object.keys(inventory.versions).map((_, index) => index + 1);
  const names = numbers.map((number) => `v${number}`);
  agree(Object.keys(inventory.versions).join() === names.join(), "the versions are not consecutive");
  agree(inventory.digestAlgorithm === "sha512" && inventory.head === names.at(-1), "algorithm or head are wrong");
  agree((await textOf(join(folder, inventory.head, "inventory.json"))) === inventoryText, "the inventories differ");
  for (const name of ["", ...names]) {
    const digest = createHash("sha512")
      .update(await textOf(join(folder, name, "inventory.json")))
      .digest("hex");
    const sidecar = (await textOf(join(folder, name, "inventory.json.sha512"))).replace(/\s+/g, " ").trim();
    agree(sidecar === `${digest} inventory.json`, `${name}/inventory.json.sha512 is wrong`);
  }
  for (const [sub, wanted] of [
    [".", [...OBJECT_NAMES, ...names]],
    ["logs", names],
    ...names.map((name) => [name, VERSION_NAMES]),
  ] as [string, string[]][]) {
    // Published datasets have publication records beside the logs of their versions.
    const isExtra = (name: string) => sub === "logs" && (name === "publication" || name === "review");
    const found = (await readdir(join(folder, sub)).catch(() => [])).filter((name) => !isExtra(name));
    agree(found.toSorted().join() === wanted.toSorted().join(), `${sub} contains ${found.toSorted().join()}`);
  }
  const found = await compareContent(folder, inventory, agree);
  const versions = new Map<number, Version>();
  const id = inventory.id.replace("urn:uuid:", "");
  for (const number of numbers) {
    const older = JSON.parse(await textOf(join(folder, `v${number}`, "inventory.json"))) as Inventory;
    agree(isSameHistory(older, inventory, number), `v${number}/inventory.json contradicts the newest inventory`);
    const files = filesOf(inventory, number, found, agree);
    const manifest = await manifestOf(folder, inventory, number);
    agree(manifest !== undefined, `the source manifest of v${number} cannot be read`);
    if ((await textOf(join(folder, "logs", `v${number}`, "revision.json"))) !== "") continue;
    versions.set(versions.size + 1, { id, folder, ocflVersion: number, files, manifest: manifest ?? [] });
  }
  return { id, folder, versions };
}

/** Whether the newest inventory contains the same versions and content files as an older one. */
function isSameHistory(older: Inventory, newest: Inventory, number: number): boolean {
  const versions = Array.from({ length: number }, (_, index) => `v${index + 1}`);
  const isHead = older.head === versions.at(-1) && Object.keys(older.versions).join() === versions.join();
  const same = (name: string) => isDeepStrictEqual(older.versions[name], newest.versions[name]);
  const held = ([digest, paths]: [string, string[]]) => paths.every((path) => newest.manifest[digest]?.includes(path));
  return isHead && older.id === newest.id && versions.every(same) && Object.entries(older.manifest).every(held);
}

/** Compares content files and inventory. Returns digest and size of the files on disk. */
async function compareContent(
  folder: string,
  inventory: Inventory,
  agree: (holds: boolean, detail: string) => boolean,
): Promise<Map<string, { sha512: string; bytes: number }>> {
  const found = new Map<string, { sha512: string; bytes: number }>();
  for (const name of Object.keys(inventory.versions)) {
    for await (const path of contentFiles(join(folder, name, "content"), agree)) {
      found.set(`${name}/content/${path}`, await hashFile(join(folder, name, "content", path)));
    }
  }
  const named = new Set<string>();
  for (const [digest, paths] of Object.entries(inventory.manifest)) {
    for (const path of paths) {
      agree(!named.has(path), `${path} is named twice`);
      named.add(path);
      const file = found.get(path);
      if (agree(file !== undefined, `${path} is missing`)) {
        agree(file?.sha512 === digest, `${path} has another digest than the inventory says`);
      }
    }
  }
  for (const path of found.keys()) agree(named.has(path), `${path} is in no inventory`);
  // Forward delta: a later version stores no bytes that an earlier one has.
  for (const [digest, paths] of Object.entries(inventory.manifest)) {
    const data = paths.filter((path) => /^v\d+\/content\/(data|by-key)\//.test(path));
    const isOnce = new Set(data.map((path) => path.slice(0, path.indexOf("/")))).size <= 1;
    agree(isOnce, `${digest.slice(0, 12)}… is stored in several versions`);
  }
  return found;
}

/** The logical files of a version. */
function filesOf(
  inventory: Inventory,
  number: number,
  found: ReadonlyMap<string, { sha512: string; bytes: number }>,
  agree: (holds: boolean, detail: string) => boolean,
): Version["files"] {
  const files = new Map<string, { sha512: string; bytes: number }>();
  for (const [digest, paths] of Object.entries(inventory.versions[`v${number}`]?.state ?? {})) {
    const content = inventory.manifest[digest]?.[0];
    agree(content !== undefined, `the digest ${digest.slice(0, 12)}… of the state is not in the manifest`);
    for (const path of paths) {
      agree(!files.has(path), `the logical path ${path} occurs twice`);
      files.set(path, { sha512: digest, bytes: found.get(content ?? "")?.bytes ?? -1 });
    }
  }
  return files;
}

async function* contentFiles(
  root: string,
  agree: (holds: boolean, detail: string) => boolean,
  below = "",
): AsyncGenerator<string> {
  const entries = await readdir(join(root, below), { withFileTypes: true }).catch(() => []);
  agree(entries.length > 0, `content/${below} is an empty folder`);
  for (const entry of entries) {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) yield* contentFiles(root, agree, path);
    else if (agree(entry.isFile(), `content/${path} is neither file nor folder`)) yield path;
  }
}

async function manifestOf(folder: string, inventory: Inventory, number: number): Promise<ManifestLine[] | undefined> {
  const state = Object.entries(inventory.versions[`v${number}`]?.state ?? {});
  const digest = state.find(([, paths]) => paths.includes("metadata/source-manifest.jsonl"))?.[0] ?? "";
  const text = await textOf(join(folder, inventory.manifest[digest]?.[0] ?? "nothing"));
  try {
    return text === ""
      ? undefined
      : text
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line) as ManifestLine);
  } catch {
    return undefined;
  }
}

/** The text of a file; empty if the file does not exist. */
export async function textOf(file: string): Promise<string> {
  return readFile(file, "utf8").catch(() => "");
}

async function hashFile(file: string): Promise<{ sha512: string; bytes: number }> {
  const hash = createHash("sha512");
  let bytes = 0;
  for await (const chunk of createReadStream(file)) {
    hash.update(chunk);
    bytes += (chunk as Buffer).length;
  }
  return { sha512: hash.digest("hex"), bytes };
}
