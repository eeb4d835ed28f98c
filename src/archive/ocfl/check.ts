import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { type ContentElsewhere, type ContentRead, checkContent, digestFile, type Slice } from "./content-check.ts";
import type { Finding, Findings } from "./findings.ts";
import { checkDigestUse } from "./inventory-digests.ts";
import { checkMembers, INVENTORY_ALGORITHMS, TYPES, versionNumber } from "./inventory-rules.ts";
import { type InventoryFacts, surveyInventory } from "./inventory-survey.ts";
import { checkLogs } from "./logs-check.ts";
import { NotJson } from "./read-json.ts";
import { checkTree } from "./tree-check.ts";
import { findingsBeside, type UnderWay } from "./under-way.ts";
import { type Surveyed, VersionComparison } from "./version-check.ts";

export type { Finding } from "./findings.ts";

/** What a check found. `ok` means: no error; warnings may stand in `findings`. */
export interface Checked {
  ok: boolean;
  findings: Finding[];
  /** Content files that were re-read, and their bytes. */
  files: number;
  bytes: number;
  /** Where the next slice begins, when only a part was asked for and something is left. */
  next?: number;
}

export interface CheckOptions extends Slice {
  signal?: AbortSignal | undefined;
  /** Where the content is when it is not in the object's folder; of a folder of content, an empty one stands there. */
  content?: ContentElsewhere;
  /** A version that is being added just now. */
  underWay?: UnderWay | undefined;
}

/** A checked object, as the check of a whole root needs it. */
export interface Inspected extends ContentRead {
  id?: string;
  /** “1.0” or “1.1”, as declared. */
  specification?: string;
}

const DECLARATION = /^0=ocfl_object_(\d+\.\d+)$/;
const SIDECAR = /^([0-9a-f]+)[ \t]+inventory\.json\r?\n?$/i;

/**
 * Checks one OCFL object of any number of versions (OCFL 1.0 and 1.1, section 3), re-reading every byte: declaration,
 * sidecars, inventories and how they agree, content files against manifest both ways, digests, stray files, and the logs
 * of objects that this archive wrote. Writes nothing. Never throws for what it finds; throws for an aborted signal and for
 * folders that cannot be listed. Of content, a slice can be asked for; all the rest is looked at each time.
 *
 * Memory: about 100 to 150 bytes for each content path, digest and logical path of the newest inventory, outside the
 * JavaScript heap, whatever the lengths of the paths; objects of several versions take up to twice that.
 */
export async function checkObject(folder: string, options: CheckOptions = {}): Promise<Checked> {
  const findings = findingsBeside(options.underWay);
  const { files, bytes, next } = await inspectObject(folder, findings, options);
  return {
    ok: findings.errors === 0,
    findings: findings.list(),
    files,
    bytes,
    ...(next !== undefined && { next }),
  };
}

/** {@link checkObject} with findings that are shared by a larger check. */
export async function inspectObject(
  folder: string,
  findings: Findings,
  options: CheckOptions = {},
): Promise<Inspected> {
  const { signal } = options;
  const specification = await checkDeclaration(folder, findings);
  const declared = specification === undefined ? {} : { specification };
  const root =
    (await inspectInventory(folder, "inventory.json", findings, signal)) ?? (await copyOf(folder, findings, signal));
  if (root === undefined) return { ...declared, files: 0, bytes: 0 };
  const { facts } = root;
  const typed = TYPES.get(facts.type ?? "");
  if (specification !== undefined && typed !== undefined && typed !== specification) {
    findings.add("E038", root.path, `“type” is of OCFL ${typed}, the object is declared as ${specification}`);
  }
  await checkTree(folder, facts, findings, options.content?.walk);
  await checkLogs(folder, facts, findings, signal);
  if (root.path === "inventory.json") await checkVersionInventories(root, findings, signal);
  const named = facts.id ? { ...declared, id: facts.id } : declared;
  if (!INVENTORY_ALGORITHMS.includes(facts.digestAlgorithm ?? "")) return { ...named, files: 0, bytes: 0 };
  return { ...named, ...(await checkContent(folder, root.path, facts, findings, options)) };
}

/** The newest version's copy of an inventory that is lost: the content is held against it all the same. */
async function copyOf(folder: string, findings: Findings, signal?: AbortSignal): Promise<Surveyed | undefined> {
  const versions = (await readdir(folder)).filter((name) => versionNumber(name) !== undefined);
  const newest = versions.sort((a, b) => (versionNumber(b) ?? 0) - (versionNumber(a) ?? 0))[0];
  const path = `${newest}/inventory.json`;
  const isThere = await stat(join(folder, path)).catch(() => undefined);
  return isThere?.isFile() ? inspectInventory(folder, path, findings, signal) : undefined;
}

/** Exactly one declaration, with its own name as content (OCFL 1.1, section 3.3). */
async function checkDeclaration(folder: string, findings: Findings): Promise<string | undefined> {
  const names = (await readdir(folder)).filter((name) => name.startsWith("0="));
  const [name] = names;
  if (name === undefined) findings.add("E003", "", "The object has no declaration (0=ocfl_object_1.1)");
  if (names.length > 1) findings.add("E003", "", `The object has several declarations: ${names.join(", ")}`);
  if (name === undefined) return undefined;
  const specification = DECLARATION.exec(name)?.[1];
  if (specification === undefined || ![...TYPES.values()].includes(specification)) {
    findings.add("E004", name, "This is not the declaration of an OCFL 1.0 or 1.1 object");
    return undefined;
  }
  const content = await readFile(join(folder, name), "utf8").catch(() => undefined);
  if (content !== `${name.slice(2)}\n`) findings.add("E007", name, "The declaration's content is not its name");
  return specification;
}

/** One inventory by itself: its form, its members, its sidecar. Undefined when there is nothing to go on with. */
async function inspectInventory(
  folder: string,
  path: string,
  findings: Findings,
  signal?: AbortSignal,
): Promise<Surveyed | undefined> {
  const file = join(folder, path);
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) {
    findings.add("E063", path, "There is no inventory");
    return undefined;
  }
  try {
    const facts = await surveyInventory(file, path, findings, signal);
    checkMembers(facts, path, findings);
    await checkDigestUse(file, path, facts, findings, signal);
    await checkSidecar(folder, path, facts.digestAlgorithm ?? "sha512", findings);
    return { folder, path, facts };
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    findings.add("E034", path, `The inventory is not a JSON object: ${error.message}`);
    return undefined;
  }
}

/** OCFL 1.1, section 3.7. */
async function checkSidecar(folder: string, path: string, algorithm: string, findings: Findings): Promise<void> {
  const sidecar = `${path}.${algorithm}`;
  const content = await readFile(join(folder, sidecar), "utf8").catch(() => undefined);
  if (content === undefined) return findings.add("E058", sidecar, "The inventory has no sidecar");
  const digest = SIDECAR.exec(content)?.[1];
  if (digest === undefined) return findings.add("E061", sidecar, "The sidecar is not “digest inventory.json”");
  if (!INVENTORY_ALGORITHMS.includes(algorithm)) return;
  const found = await digestFile(join(folder, path), algorithm);
  if (found.digest === digest.toLowerCase()) return;
  findings.add("E060", path, `The inventory's ${algorithm} is ${found.digest}, ${sidecar} says ${digest}`);
}

/** The newest version's inventory is a copy of the root's; older ones must tell the same story up to their version. */
async function checkVersionInventories(root: Surveyed, findings: Findings, signal?: AbortSignal): Promise<void> {
  const { folder, facts } = root;
  const names = [...facts.versions.keys()].filter((name) => versionNumber(name) !== undefined);
  names.sort((a, b) => (versionNumber(a) ?? 0) - (versionNumber(b) ?? 0));
  let comparison: VersionComparison | undefined;
  let specification = "";
  for (const name of names) {
    const path = `${name}/inventory.json`;
    if (!(await stat(join(folder, path)).catch(() => undefined))) {
      findings.add("W010", name, "The version has no inventory");
      continue;
    }
    const newest = name === facts.head;
    if (newest && (await isCopy(folder, path))) {
      await checkSidecar(folder, path, facts.digestAlgorithm ?? "sha512", findings);
    } else if (newest) {
      findings.add("E064", path, "The newest version's inventory is not a copy of the object's");
    }
    const inventory = newest ? root : await inspectInventory(folder, path, findings, signal);
    if (inventory === undefined) continue;
    const typed = TYPES.get(inventory.facts.type ?? "") ?? specification;
    if (typed < specification) findings.add("E103", path, `OCFL ${typed} after a version of OCFL ${specification}`);
    specification = typed;
    if (newest) continue;
    if (inventory.facts.head !== name) findings.add("E040", path, `“head” is not ${name}`);
    comparison ??= await VersionComparison.with(root, findings, signal);
    await comparison.compare(inventory, signal);
    await checkOtherDigests(inventory, facts, findings, signal);
  }
}

/** An older inventory on another digest algorithm makes promises of its own about the bytes. */
async function checkOtherDigests(
  older: Surveyed,
  newest: InventoryFacts,
  findings: Findings,
  signal?: AbortSignal,
): Promise<void> {
  const algorithm = older.facts.digestAlgorithm;
  if (algorithm === newest.digestAlgorithm || !INVENTORY_ALGORITHMS.includes(algorithm ?? "")) return;
  await checkContent(older.folder, older.path, older.facts, findings, { signal });
}

async function isCopy(folder: string, path: string): Promise<boolean> {
  const [a, b] = await Promise.all([
    digestFile(join(folder, "inventory.json"), "sha512"),
    digestFile(join(folder, path), "sha512"),
  ]);
  return a.digest === b.digest;
}
