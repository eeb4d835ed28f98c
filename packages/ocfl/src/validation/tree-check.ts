import { join } from "node:path";
import type { Findings } from "../findings.ts";
import type { RegularFiles } from "../io/regular-files.ts";
import { type Entry, type EntryKind, entriesOf, type WalkEntry, walk } from "../io/walk.ts";
import type { ContentSource } from "./content-source.ts";
import { isDeclaration, isObjectDeclaration } from "./declarations.ts";
import type { InventoryFacts } from "./inventory-facts.ts";
import { hasBadContentDirectory, INVENTORY_ALGORITHMS, versionNumber } from "./inventory-rules.ts";
import { isRegistered } from "./layout-check.ts";

/** The data with which an object's folder is compared. */
export interface Tree {
  files: RegularFiles;
  facts: InventoryFacts;
  /** The names that the content folder has in any inventory. They should be the same. */
  contentDirectories: ReadonlySet<string>;
  /** Version → digest algorithm of its inventory; absent if that is missing or cannot be read. */
  algorithms: ReadonlyMap<string, string>;
  content: Pick<ContentSource, "walk">;
}

/**
 * Checks that an object's folder contains exactly what its inventory names and OCFL 1.1, sections 3.1 to 3.9, allows:
 * no unknown file or folder, no empty folder, no link, no content file that the manifest lacks, no other object, and a
 * folder for every version. `logs/` may contain anything except links.
 */
export async function checkTree(tree: Tree, findings: Findings): Promise<void> {
  const { files, facts } = tree;
  const { folder } = files;
  const isSidecar = await sidecarsOf(files, "", [facts.digestAlgorithm ?? "sha512"]);
  const isOwn = (name: string) => name === "inventory.json" || isDeclaration(name) || isSidecar(name);
  const versions = new Set<string>();
  for await (const { name, kind } of listed(folder, "", findings)) {
    const isFolder = kind === "folder";
    if (!isFolder && isOwn(name)) continue;
    if (!isFolder) findings.add("E001", name, "The file does not belong in an object's folder");
    else if (name === "extensions") await checkExtensions(folder, findings);
    else if (name === "logs") await checkForLinks(folder, name, findings);
    else if (versionNumber(name) !== undefined && facts.versions.has(name)) {
      versions.add(name);
      await checkVersionFolder(tree, name, findings);
    } else if (versionNumber(name) !== undefined) {
      if (facts.versions.size === 0) continue;
      findings.add("E046", name, "The inventory does not contain this version");
    } else {
      findings.add("E001", name, "The folder does not belong in an object's folder");
      await checkForObjects(folder, name, findings);
    }
  }
  for (const name of facts.versions.keys()) {
    // Invalid version names, and their folders, were reported before.
    if (versions.has(name) || versionNumber(name) === undefined) continue;
    findings.add("E010", name, "The version has no folder");
  }
}

async function checkVersionFolder(tree: Tree, version: string, findings: Findings): Promise<void> {
  const { files, facts, contentDirectories, algorithms, content } = tree;
  const algorithm = algorithms.get(version);
  const hasInventory = await files.has(`${version}/inventory.json`);
  const isSidecar = await sidecarsOf(
    files,
    `${version}/`,
    algorithm === undefined ? INVENTORY_ALGORITHMS : [algorithm],
  );
  for await (const { name, kind } of listed(files.folder, version, findings)) {
    const path = `${version}/${name}`;
    if (kind !== "folder") {
      if (hasInventory && (name === "inventory.json" || isSidecar(name))) continue;
      findings.add("E015", path, "The file does not belong in a version's folder");
    } else if (contentDirectories.has(name)) {
      const onUnreadable = unreadableReporter(path, findings);
      await checkContentFolder(content.walk(path, onUnreadable), path, facts, findings);
    } else if (!hasBadContentDirectory(facts)) {
      findings.add("W002", path, "The folder does not belong in a version's folder");
    }
  }
}

/**
 * The files of a folder that are sidecars of its inventory: the one for its algorithm. If it is missing, a sidecar for
 * another algorithm was reported as E059.
 */
async function sidecarsOf(
  files: RegularFiles,
  folder: string,
  algorithms: readonly string[],
): Promise<(name: string) => boolean> {
  const names = algorithms.map((algorithm) => `inventory.json.${algorithm}`);
  const present = await Promise.all(names.map((name) => files.has(folder + name)));
  return present.includes(true) ? (name) => names.includes(name) : (name) => name.startsWith("inventory.json.");
}

async function checkContentFolder(
  all: AsyncIterable<WalkEntry>,
  content: string,
  facts: InventoryFacts,
  findings: Findings,
): Promise<void> {
  for await (const met of all) {
    const path = met.path === "" ? content : `${content}/${met.path}`;
    if (met.kind === "empty" && met.path === "") {
      findings.add("W003", path, "The content folder is empty. A version without content must not have one");
    } else if (met.kind === "empty") {
      findings.add("E024", path, "The folder is empty");
    } else if (met.kind === "undecodable") {
      findings.add("E023", path, "The name is not UTF-8, so no inventory can contain it");
    } else if (!reportOdd(path, met.kind, findings) && met.kind === "file" && !isNamed(path, facts)) {
      findings.add("E023", path, "The file is not in the inventory's manifest");
    }
  }
}

/**
 * Whether the manifest names a file. Files that it names by an invalid path count as named, and so do all files if
 * there is no manifest.
 */
function isNamed(path: string, { contents, invalidPathTargets, invalidBlocks }: InventoryFacts): boolean {
  return (
    invalidBlocks.has("manifest") ||
    contents.has(path) ||
    (invalidPathTargets.size > 0 && invalidPathTargets.get(path) !== undefined)
  );
}

async function checkExtensions(folder: string, findings: Findings): Promise<void> {
  for await (const { name, kind } of listed(folder, "extensions", findings)) {
    const path = `extensions/${name}`;
    if (kind !== "folder") findings.add("E067", path, "The extensions folder may contain only folders");
    else if (!isRegistered(name)) findings.add("W013", path, "The extension is not registered");
    if (kind === "folder") await checkForLinks(folder, path, findings);
  }
}

async function checkForLinks(folder: string, below: string, findings: Findings): Promise<void> {
  for await (const { path, kind } of walk(join(folder, below), unreadableReporter(below, findings))) {
    reportOdd(`${below}/${path}`, kind, findings);
  }
}

async function checkForObjects(folder: string, below: string, findings: Findings): Promise<void> {
  for await (const { path, kind } of walk(join(folder, below), unreadableReporter(below, findings))) {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const at = `${below}/${path}`.slice(0, -name.length - 1);
    if (kind === "file" && isObjectDeclaration(name)) findings.add("E082", at, "The object is within another object");
  }
}

/** The entries of a folder of the object, except links and special files, which are reported. */
async function* listed(folder: string, below: string, findings: Findings): AsyncGenerator<Entry> {
  try {
    for await (const entry of entriesOf(join(folder, below))) {
      const path = below === "" ? entry.name : `${below}/${entry.name}`;
      if (!reportOdd(path, entry.kind, findings)) yield entry;
    }
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code;
    if (reason === undefined) throw error;
    unreadableReporter(below, findings)("", reason);
  }
}

/** Reports a folder that cannot be listed. */
function unreadableReporter(below: string, findings: Findings): (path: string, reason: string) => void {
  return (path, reason) => {
    const at = [below, path].filter((part) => part !== "").join("/");
    findings.add("E000", at, `The folder cannot be read (${reason})`);
  };
}

function reportOdd(path: string, kind: EntryKind | "empty", findings: Findings): boolean {
  if (kind !== "link" && kind !== "other") return false;
  findings.add("E090", path, kind === "link" ? "Links are not allowed" : "Special files are not allowed");
  return true;
}
