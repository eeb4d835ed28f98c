import type { Findings } from "./findings.ts";
import type { InventoryFacts, VersionBlock } from "./inventory-survey.ts";

/** The version of the specification an inventory says it follows, by its `type`. */
export const TYPES: ReadonlyMap<string, string> = new Map([
  ["https://ocfl.io/1.0/spec/#inventory", "1.0"],
  ["https://ocfl.io/1.1/spec/#inventory", "1.1"],
]);

/** The digests an inventory may be built on (OCFL 1.1, section 3.4). */
export const INVENTORY_ALGORITHMS: readonly string[] = ["sha512", "sha256"];

const URI = /^[a-z][a-z0-9+.-]*:\S+$/i;
/** RFC 3339, with seconds and a zone. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const VERSION = /^v(0*)([1-9]\d*)$/;

/** The number in a version's name, or undefined when it is none (OCFL 1.1, section 3.5.1). */
export function versionNumber(name: string): number | undefined {
  const digits = VERSION.exec(name)?.[2];
  return digits === undefined ? undefined : Number(digits);
}

/** Applies the rules for an inventory's small members (OCFL 1.1, section 3.5), all of them. */
export function checkMembers(facts: InventoryFacts, where: string, findings: Findings): void {
  const report = (code: string, detail: string) => findings.add(code, where, detail);
  for (const member of ["id", "type", "digestAlgorithm", "head"] as const) {
    if (!facts[member]) report("E036", `“${member}” is missing, empty or not a string`);
  }
  if (!facts.hasManifest) report("E041", "“manifest” is missing");
  if (facts.versions.size === 0) report("E008", "There is no version");
  if (facts.type && !TYPES.has(facts.type)) report("E038", `“type” is ${JSON.stringify(facts.type)}`);
  if (facts.id && !URI.test(facts.id)) report("W005", "“id” is not a URI");
  if (facts.digestAlgorithm === "sha256") report("W004", "“digestAlgorithm” is sha256; sha512 is recommended");
  else if (facts.digestAlgorithm && !INVENTORY_ALGORITHMS.includes(facts.digestAlgorithm)) {
    report("E025", `“digestAlgorithm” is ${JSON.stringify(facts.digestAlgorithm)}`);
  }
  if (facts.contentDirectory === "" || facts.contentDirectory.includes("/")) {
    report("E017", "“contentDirectory” is empty or holds a slash");
  }
  if ([".", ".."].includes(facts.contentDirectory)) report("E018", "“contentDirectory” is “.” or “..”");
  checkVersionNames(facts, report);
  for (const [name, block] of facts.versions) checkVersionBlock(name, block, report);
}

type Report = (code: string, detail: string) => void;

/** One sequence from 1 on, all plain or all padded to one width with a leading zero, its last the head. */
function checkVersionNames({ versions, head }: InventoryFacts, report: Report): void {
  const names = [...versions.keys()];
  for (const name of names) {
    if (versionNumber(name) === undefined) report("E046", `${JSON.stringify(name)} is not the name of a version`);
  }
  const numbers = names.flatMap((name) => versionNumber(name) ?? []).sort((a, b) => a - b);
  if (numbers.length > 0 && numbers[0] !== 1) report("E009", "The versions do not begin with 1");
  if (numbers.some((number, index) => index > 0 && number !== (numbers[index - 1] ?? 0) + 1)) {
    report("E010", "The versions are not one unbroken sequence");
  }
  const padded = names.filter((name) => name.startsWith("v0"));
  if (padded.length > 0) {
    if (padded.length < names.length) report("E011", "Some versions are padded with zeros and some are not");
    if (new Set(names.map((name) => name.length)).size > 1)
      report("E012", "The versions are padded to different widths");
    report("W001", "The versions are padded with zeros");
  }
  const last = numbers.at(-1);
  if (head && last !== undefined && (!versions.has(head) || versionNumber(head) !== last)) {
    report("E040", `“head” is ${JSON.stringify(head)}, not the most recent version`);
  }
}

function checkVersionBlock(name: string, block: VersionBlock, report: Report): void {
  if (block.created === undefined) report("E048", `${name} has no “created”`);
  else if (!INSTANT.test(block.created) || Number.isNaN(Date.parse(block.created))) {
    report("E049", `“created” of ${name} is not an RFC 3339 time with seconds and zone`);
  }
  if (!block.hasState) report("E048", `${name} has no “state”`);
  if (block.message === undefined) report("W007", `${name} has no message`);
  if (!block.hasUser) report("W007", `${name} has no user`);
  else if (!block.userName) report("E054", `The user of ${name} has no name`);
  else if (block.userAddress === undefined) report("W008", `The user of ${name} has no address`);
  else if (!URI.test(block.userAddress)) report("W009", `The address of the user of ${name} is not a URI`);
}
