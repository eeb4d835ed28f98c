import { join } from "node:path";
import { Findings } from "../findings.ts";
import { InvalidJson, TooLarge } from "../io/read-json.ts";
import type { RegularFiles } from "../io/regular-files.ts";
import { entriesOf } from "../io/walk.ts";
import { checkDigestUse } from "./inventory-digests.ts";
import type { InventoryFacts } from "./inventory-facts.ts";
import { checkMembers, findInvalidBlocks, INVENTORY_ALGORITHMS, TYPES } from "./inventory-rules.ts";
import { parseInventory } from "./parse-inventory.ts";

/** An inventory that was parsed. */
export interface LoadedInventory {
  files: RegularFiles;
  /** Relative to the object's folder. */
  path: string;
  facts: InventoryFacts;
}

/** How an inventory is checked. */
export interface InventoryContext {
  /** The version of OCFL whose rules apply if the inventory has no valid `type`. */
  specification: string | undefined;
  /** An older inventory: warnings that also apply to the newest are omitted. */
  isOlder?: boolean;
  signal?: AbortSignal | undefined;
}

/** The digest may be in upper or lower case, the file name only in lower case. */
const SIDECAR = /^([0-9a-fA-F]+)[ \t]+inventory\.json\r?\n?$/;
const SIDECAR_BYTES = 1_024;

/**
 * Parses and checks one inventory (OCFL 1.1, sections 3.5 and 3.6): its form, its members, its sidecar. Returns
 * undefined if it cannot be parsed.
 */
export async function loadInventory(
  files: RegularFiles,
  path: string,
  findings: Findings,
  { specification = "1.1", isOlder = false, signal }: InventoryContext,
): Promise<LoadedInventory | undefined> {
  if (!(await files.has(path))) {
    findings.add("E063", path, "The inventory is missing");
    return undefined;
  }
  const file = join(files.folder, path);
  const own = new Findings();
  let facts: InventoryFacts | undefined;
  try {
    facts = await parseInventory(file, path, own, signal);
    findInvalidBlocks(facts);
    checkMembers(facts, path, own);
    await checkDigestUse(file, path, facts, own, signal);
    await checkSidecar(files, path, facts.digestAlgorithm ?? "sha512", own);
    return { files, path, facts };
  } catch (error) {
    reportUnreadable(error, path, own);
    return undefined;
  } finally {
    findings.merge(own, {
      specification: TYPES.get(facts?.type ?? "") ?? specification,
      ...(isOlder && { isWanted: (code) => code.startsWith("E") || code === "W004" }),
    });
  }
}

/** The version of OCFL that an inventory states; undefined for an unknown one. */
export function typeOf({ facts }: LoadedInventory): string | undefined {
  return TYPES.get(facts.type ?? "");
}

/** Checks the sidecar of an inventory (OCFL 1.1, section 3.6). */
export async function checkSidecar(
  files: RegularFiles,
  path: string,
  algorithm: string,
  findings: Findings,
): Promise<void> {
  const sidecar = `${path}.${algorithm}`;
  const content = await files.text(sidecar, SIDECAR_BYTES);
  if (content === undefined) return reportMissing(files, path, sidecar, findings);
  const digest = SIDECAR.exec(content)?.[1];
  if (digest === undefined)
    return findings.add("E061", sidecar, "The sidecar does not have the form “digest inventory.json”");
  if (!INVENTORY_ALGORITHMS.includes(algorithm)) return;
  const found = await files.digest(path, algorithm);
  if (found === digest.toLowerCase()) return;
  findings.add("E060", path, `The inventory's ${algorithm} is ${found}, but ${sidecar} states ${digest}`);
}

async function reportMissing(files: RegularFiles, path: string, sidecar: string, findings: Findings): Promise<void> {
  if (await files.has(sidecar))
    return findings.add("E061", sidecar, "The sidecar does not have the form “digest inventory.json”");
  const other = await otherSidecar(files, path);
  if (other === undefined) return findings.add("E058", sidecar, "The inventory has no sidecar");
  findings.add("E059", other, `The sidecar does not use the inventory's digestAlgorithm (${sidecar})`);
}

async function otherSidecar(files: RegularFiles, path: string): Promise<string | undefined> {
  const folder = path.slice(0, -"inventory.json".length);
  for await (const { name, kind } of entriesOf(join(files.folder, folder))) {
    if (kind === "file" && name.startsWith("inventory.json.")) return `${folder}${name}`;
  }
  return undefined;
}

function reportUnreadable(error: unknown, path: string, findings: Findings): void {
  const reason = (error as NodeJS.ErrnoException).code;
  if (error instanceof TooLarge)
    findings.add("E000", path, `The inventory exceeds the limits of the check: ${error.message}`);
  else if (error instanceof InvalidJson)
    findings.add("E033", path, `The inventory is not a JSON object: ${error.message}`);
  else if (typeof reason === "string" && reason !== "ABORT_ERR") {
    findings.add("E000", path, `The inventory cannot be read (${reason})`);
  } else throw error;
}
