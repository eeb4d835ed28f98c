import type { OcflCode } from "../codes.ts";
import type { Findings } from "../findings.ts";
import type { InventoryFacts, VersionBlock } from "./inventory-facts.ts";

/** The version of the specification that an inventory's `type` states. */
export const TYPES: ReadonlyMap<string, string> = new Map([
  ["https://ocfl.io/1.0/spec/#inventory", "1.0"],
  ["https://ocfl.io/1.1/spec/#inventory", "1.1"],
]);

/** The digest algorithms that an inventory may use (OCFL 1.1, section 3.4). */
export const INVENTORY_ALGORITHMS: readonly string[] = ["sha512", "sha256"];

const URI = /^[a-z][a-z0-9+.-]*:\S+$/i;
/** RFC 3339, with seconds and time zone. A leap second is 60, and the letters may be lower case. */
const INSTANT =
  /^(\d{4})-(0[1-9]|1[0-2])-(\d\d)T([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;
const VERSION = /^v(0*)([1-9]\d*)$/;

/** The number in a version's name; undefined if it is not a version's name (OCFL 1.1, section 3.5.1). */
export function versionNumber(name: string): number | undefined {
  const digits = VERSION.exec(name)?.[2];
  return digits === undefined ? undefined : Number(digits);
}

/** The versions' names in order. Invalid names are omitted. */
export function versionsOf({ versions }: InventoryFacts): string[] {
  const names = [...versions.keys()].filter((name) => versionNumber(name) !== undefined);
  return names.sort((a, b) => (versionNumber(a) ?? 0) - (versionNumber(b) ?? 0));
}

/**
 * The fault of a content path that is not in the content folder of an existing version; undefined if it is.
 * @param contentDirectories the names that the content folder has in any inventory
 */
export function locationFault(
  path: string,
  facts: InventoryFacts,
  contentDirectories: ReadonlySet<string>,
): { code: OcflCode; detail: string } | undefined {
  // Without versions, or with an invalid content folder, no location is wrong.
  if (facts.versions.size === 0 || hasBadContentDirectory(facts)) return undefined;
  const [version = "", folder = ""] = path.split("/", 2);
  if (contentDirectories.has(folder) && path.split("/", 3).length === 3 && facts.versions.has(version))
    return undefined;
  const number = versionNumber(version);
  const written = facts.head?.length ?? 0;
  const others = [`v${number}`, `v${String(number).padStart(written - 1, "0")}`];
  const other = others.find((name) => name !== version && facts.versions.has(name));
  if (number !== undefined && other !== undefined) {
    return { code: "E014", detail: `The path writes ${version} for the version ${other}` };
  }
  return { code: "E042", detail: "The path is not in any version's content folder" };
}

/** Whether `contentDirectory` cannot be the name of a folder. */
export function hasBadContentDirectory({ contentDirectory }: InventoryFacts): boolean {
  return ["", ".", ".."].includes(contentDirectory) || contentDirectory.includes("/");
}

/** Missing blocks count as invalid, because a missing state may be the only one that uses a digest. */
export function findInvalidBlocks(facts: InventoryFacts): void {
  for (const block of ["manifest", "versions"] as const) if (!facts.has.has(block)) facts.invalidBlocks.add(block);
  for (const { has } of facts.versions.values()) if (!has.has("state")) facts.invalidBlocks.add("versions");
}

/** Applies all rules for an inventory's small members (OCFL 1.1, section 3.5). */
export function checkMembers(facts: InventoryFacts, where: string, findings: Findings): void {
  const report: Report = (code, detail) => findings.add(code, where, detail);
  for (const member of ["id", "type", "digestAlgorithm", "head"] as const) {
    // A value that is not a string was reported.
    if (!facts.has.has(member)) report("E036", `“${member}” is missing`);
    else if (facts[member] === "") report("E036", `“${member}” is empty`);
  }
  if (!facts.has.has("manifest")) report("E041", "“manifest” is missing");
  if (!facts.has.has("versions")) report("E043", "“versions” is missing");
  else if (facts.versions.size === 0 && !facts.invalidBlocks.has("versions"))
    report("E008", "The inventory has no version");
  if (facts.type && !TYPES.has(facts.type)) report("E038", `“type” is ${JSON.stringify(facts.type)}`);
  if (facts.id && !URI.test(facts.id)) report("W005", "“id” is not a URI");
  if (facts.digestAlgorithm === "sha256") report("W004", "“digestAlgorithm” is sha256; sha512 is recommended");
  else if (facts.digestAlgorithm && !INVENTORY_ALGORITHMS.includes(facts.digestAlgorithm)) {
    report("E025", `“digestAlgorithm” is ${JSON.stringify(facts.digestAlgorithm)}`);
  }
  if (facts.contentDirectory === "" || facts.contentDirectory.includes("/")) {
    report("E017", "“contentDirectory” is empty or contains a slash");
  }
  if ([".", ".."].includes(facts.contentDirectory)) report("E018", "“contentDirectory” is “.” or “..”");
  checkVersionNames(facts, report);
  for (const [name, block] of facts.versions) if (block.isObject) checkVersionBlock(name, block, report);
}

type Report = (code: OcflCode, detail: string) => void;

/** Checks that the versions are one sequence that begins with 1, and that the last one is the head. */
function checkVersionNames(facts: InventoryFacts, report: Report): void {
  const { versions, head } = facts;
  for (const name of versions.keys()) {
    if (versionNumber(name) !== undefined) continue;
    if (!name.startsWith("v")) report("E104", `The version ${JSON.stringify(name)} does not begin with “v”`);
    else report("E105", `The version ${JSON.stringify(name)} is not “v” followed by a positive number`);
  }
  const names = versionsOf(facts);
  const numbers = names.map((name) => versionNumber(name) ?? 0);
  if (names.length > 0 && numbers[0] !== 1) report("E009", "The first version does not have the number 1");
  if (numbers.some((number, index) => index > 0 && number !== (numbers[index - 1] ?? 0) + 1)) {
    report("E010", "The versions are not a continuous sequence");
  }
  checkNaming(names, report);
  const last = names.at(-1);
  if (head && last !== undefined && head !== last) {
    report("E040", `“head” is ${JSON.stringify(head)}, but the newest version is ${last}`);
  }
}

/** Checks that all versions are named like the first: without zeros, or padded to one width with at least one zero. */
function checkNaming(names: readonly string[], report: Report): void {
  const [first = ""] = names;
  const isPadded = (name: string) => name.startsWith("v0");
  if (names.some(isPadded)) report("W001", "The versions are padded with zeros");
  const breaking = names.find((name) => isPadded(name) !== isPadded(first));
  if (breaking !== undefined && isPadded(first))
    report("E011", `${breaking} is not padded with zeros, although ${first} is`);
  const other = names.find((name) => isPadded(name) && name.length !== first.length);
  if (other !== undefined) report("E012", `${first} and ${other} do not have the same form and width`);
  if (breaking ?? other) report("E013", `${breaking ?? other} is not named in the form of ${first}`);
}

function checkVersionBlock(name: string, block: VersionBlock, report: Report): void {
  if (!block.has.has("created")) report("E048", `${name} has no “created”`);
  else if (block.created !== undefined && !isInstant(block.created)) {
    report("E049", `“created” of ${name} is not an RFC 3339 time with seconds and time zone`);
  }
  if (!block.has.has("state")) report("E048", `${name} has no “state”`);
  if (!block.has.has("message")) report("W007", `${name} has no message`);
  if (!block.has.has("user")) report("W007", `${name} has no user`);
  if (!block.isUserObject) return;
  if (!block.has.has("user.name")) report("E054", `The user of ${name} has no name`);
  else if (block.userName === "") report("E054", `The user of ${name} has an empty name`);
  if (!block.has.has("user.address")) report("W008", `The user of ${name} has no address`);
  else if (block.userAddress !== undefined && !URI.test(block.userAddress)) {
    report("W009", `The address of the user of ${name} is not a URI`);
  }
}

function isInstant(text: string): boolean {
  const [, year, month, day] = INSTANT.exec(text) ?? [];
  if (day === undefined) return false;
  const daysInMonth = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  return Number(day) >= 1 && Number(day) <= daysInMonth;
}
