import { join } from "node:path";
import type { Findings } from "./findings.ts";
import { versionNumber } from "./inventory-rules.ts";
import type { InventoryFacts } from "./inventory-survey.ts";
import { entriesOf, kindOf, type Met, walk } from "./walk.ts";

/** The object extensions that are registered with OCFL, and may stand without a warning. */
const EXTENSIONS = new Set(["0001-digest-algorithms", "0005-mutable-head", "0009-digest-algorithms"]);

/**
 * Checks that an object's folder holds what OCFL 1.1, section 3.2 and 3.3, allows and its inventory names, and
 * nothing else: no stray file or folder, no empty folder, no link, no content file that the manifest lacks, and every
 * version's folder there. `logs/` may hold anything but links.
 */
export async function checkTree(
  folder: string,
  facts: InventoryFacts,
  findings: Findings,
  walkContent: (contentFolder: string) => AsyncIterable<Met> = (path) => walk(join(folder, path)),
): Promise<void> {
  const sidecar = `inventory.json.${facts.digestAlgorithm ?? "sha512"}`;
  const versions = new Set<string>();
  for await (const entry of entriesOf(folder)) {
    const { name } = entry;
    const kind = kindOf(entry);
    if (reportOdd(name, kind, findings)) continue;
    if (kind === "file") {
      if (name === "inventory.json" || name === sidecar || name.startsWith("0=")) continue;
      findings.add("E001", name, "The file does not belong into an object's folder");
    } else if (name === "extensions") {
      await checkExtensions(folder, findings);
    } else if (name === "logs") {
      for await (const met of walk(join(folder, name))) reportOdd(`${name}/${met.path}`, met.kind, findings);
    } else if (versionNumber(name) !== undefined) {
      versions.add(name);
      await checkVersionFolder({ folder, walkContent }, name, sidecar, facts, findings);
    } else {
      findings.add("E001", name, "The folder does not belong into an object's folder");
    }
  }
  for (const name of facts.versions.keys()) {
    if (!versions.has(name)) findings.add("E010", name, "The version has no folder");
  }
  for (const name of versions) {
    if (!facts.versions.has(name)) findings.add("E046", name, "The inventory does not know this version");
  }
}

async function checkVersionFolder(
  { folder, walkContent }: { folder: string; walkContent: (contentFolder: string) => AsyncIterable<Met> },
  version: string,
  sidecar: string,
  facts: InventoryFacts,
  findings: Findings,
): Promise<void> {
  for await (const entry of entriesOf(join(folder, version))) {
    const path = `${version}/${entry.name}`;
    const kind = kindOf(entry);
    if (reportOdd(path, kind, findings)) continue;
    if (kind === "folder") {
      if (entry.name === facts.contentDirectory) await checkContentFolder(walkContent(path), path, facts, findings);
      else findings.add("W002", path, "The folder does not belong into a version's folder");
    } else if (entry.name !== "inventory.json" && !isSidecar(entry.name, sidecar)) {
      findings.add("E015", path, "The file does not belong into a version's folder");
    }
  }
}

/** An older version may be built on the other digest than the newest. */
function isSidecar(name: string, sidecar: string): boolean {
  return [sidecar, "inventory.json.sha512", "inventory.json.sha256"].includes(name);
}

async function checkContentFolder(
  all: AsyncIterable<Met>,
  content: string,
  facts: InventoryFacts,
  findings: Findings,
): Promise<void> {
  for await (const met of all) {
    const path = met.path === "" ? content : `${content}/${met.path}`;
    if (reportOdd(path, met.kind, findings)) continue;
    if (met.kind === "empty") findings.add("E024", path, "The folder is empty");
    if (met.kind === "file" && !facts.contents.has(path)) {
      findings.add("E023", path, "The file is not in the inventory's manifest");
    }
  }
}

async function checkExtensions(folder: string, findings: Findings): Promise<void> {
  for await (const entry of entriesOf(join(folder, "extensions"))) {
    const path = `extensions/${entry.name}`;
    const kind = kindOf(entry);
    if (reportOdd(path, kind, findings)) continue;
    if (kind === "file") findings.add("E067", path, "The extensions folder may hold folders only");
    else if (!EXTENSIONS.has(entry.name)) findings.add("W013", path, "The extension is not registered");
  }
}

function reportOdd(path: string, kind: string, findings: Findings): boolean {
  if (kind !== "link" && kind !== "other") return false;
  findings.add("E090", path, kind === "link" ? "Links are not allowed" : "This is neither file nor folder");
  return true;
}
