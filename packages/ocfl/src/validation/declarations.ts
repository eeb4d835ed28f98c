import type { OcflCode } from "../codes.ts";
import type { Findings } from "../findings.ts";
import { RegularFiles } from "../io/regular-files.ts";
import { entriesOf } from "../io/walk.ts";

/** The rules for a declaration: its words, and the codes for its faults. */
interface Rules {
  /** The text before the version's number. */
  word: string;
  none: OcflCode;
  several: OcflCode;
  version: OcflCode;
  zero: OcflCode;
  other: OcflCode;
  content: OcflCode;
  noun: string;
}

const OBJECT: Rules = {
  word: "ocfl_object_",
  none: "E003",
  several: "E003",
  version: "E004",
  zero: "E005",
  other: "E006",
  content: "E007",
  noun: "object",
};
const ROOT: Rules = {
  word: "ocfl_",
  none: "E069",
  several: "E076",
  version: "E077",
  zero: "E078",
  other: "E079",
  content: "E080",
  noun: "storage root",
};

const SPECIFICATIONS = ["1.0", "1.1"];
/** Files that count as declarations, valid or not: “0=…”, and “1=ocfl…”. */
const DECLARATION = /^(0=|[^=]*=ocfl)/;
/** Limit for reading. A declaration has about twenty bytes. */
const BYTES = 100;
const SHOWN = 10;

/** Whether a file in the folder of an object or a storage root is meant as its declaration. */
export function isDeclaration(name: string): boolean {
  return DECLARATION.test(name);
}

/** Whether a file declares a folder to be an object of any version. */
export function isObjectDeclaration(name: string): boolean {
  return name.startsWith(`0=${OBJECT.word}`);
}

/**
 * Checks that there is exactly one declaration, with its name as content (OCFL 1.1, section 3.2). Returns “1.0”, “1.1”
 * or undefined.
 */
export function checkObjectDeclaration(folder: string, findings: Findings): Promise<string | undefined> {
  return checkDeclaration(folder, OBJECT, findings);
}

/** The same for a storage root (OCFL 1.1, section 4.2). */
export function checkRootDeclaration(folder: string, findings: Findings): Promise<string | undefined> {
  return checkDeclaration(folder, ROOT, findings);
}

async function checkDeclaration(folder: string, rules: Rules, findings: Findings): Promise<string | undefined> {
  const { word, noun } = rules;
  const names: string[] = [];
  for await (const { name, kind } of entriesOf(folder)) {
    if (kind === "file" && isDeclaration(name) && names.length < SHOWN) names.push(name);
  }
  const good = names.filter((name) => SPECIFICATIONS.some((version) => name === `0=${word}${version}`)).sort();
  const [bad] = names.filter((name) => !good.includes(name));
  const name = good.at(-1);
  if (names.length > 1) {
    findings.add(rules.several, "", `The ${noun} has several declarations: ${names.sort().join(", ")}`);
  } else if (bad !== undefined) {
    findings.add(faultOf(bad, rules), bad, `The file is not the declaration of an OCFL 1.0 or 1.1 ${noun}`);
  } else if (name === undefined) {
    findings.add(rules.none, "", `The ${noun} has no declaration (0=${word}1.1)`);
  }
  if (name === undefined) return undefined;
  const content = await new RegularFiles(folder).text(name, BYTES);
  if (content !== `${name.slice(2)}\n`)
    findings.add(rules.content, name, "The declaration's content does not match its name");
  return name.slice(2 + word.length);
}

function faultOf(name: string, { word, version, zero, other }: Rules): OcflCode {
  if (!name.startsWith("0=")) return zero;
  const value = name.slice(2 + word.length);
  return name.startsWith(`0=${word}`) && /^[\d.]*$/.test(value) ? version : other;
}
