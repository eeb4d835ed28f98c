import { isDegree, plainName, withoutEnd } from "./beside-name.ts";
import { namesOrganisation } from "./organisation-words.ts";
import { directName, invertedName, isInitials, isPersonName, isSuffix, type PersonName } from "./person-name.ts";

/** A person, or an organisation, that a text names. */
export type NamedAgent = (PersonName & { orcid?: string }) | { organisation: string };

/** All whom a text names, and what the submitter should check. */
export interface NamedAgents {
  agents: NamedAgent[];
  remarks: string[];
}

interface Options {
  /** Set if the format writes “Family, Given”. Otherwise, a comma can separate persons, too. */
  isInverted?: boolean;
  /** Set if the file states that the text names persons. */
  isPersonal?: boolean;
}

/** The same, for a text that may be known to be a list. */
type ListOptions = Options & { isList: boolean };

/** Longer texts are not divided. */
const LONGEST = 5_000;
const NOTE_REMARK = "A note, title or degree beside the name is not used.";
const WHOLE_REMARK = "The text cannot be divided safely into names. It is kept whole as one name; correct it.";
const OTHERS_REMARK = "The text refers to further people without their names. They are missing.";

const OTHERS = /(?:\bet\.? al\b|\band others\b|\band colleagues\b|\bu\. ?a\.|\be outros\b)[ .]*$/i;
const NOBODY = /^(?:none|null|nil|unknown|tb[ad]|todo|various|\?+|-+|\.+|:\p{L}+|\[?unspecified\d*\]?)$/iu;
/** “Na” is a family name. */
const NOT_AVAILABLE = /^(?:NA|na|n\/a|N\/A|n\.a\.|N\.A\.)$/;

/**
 * The persons and organisations that a text names. Notes, titles, degrees, footnote marks and ORCID iDs beside a name are not part
 * of it. A text that cannot be divided safely is one organisation with the whole text as its name, because citations show such a
 * name unchanged. A remark says so.
 */
export function namedAgents(text: string, options: Options = {}): NamedAgents {
  const whole = linesJoined(text).replace(/\s+/g, " ").trim();
  if (whole === "" || NOBODY.test(whole) || NOT_AVAILABLE.test(whole)) return { agents: [], remarks: [] };
  const undivided = { agents: [{ organisation: whole }], remarks: [WHOLE_REMARK] };
  if (whole.length > LONGEST) return undivided;
  const named = whole.replace(OTHERS, "");
  const remarks = new Set(named === whole ? [] : [OTHERS_REMARK]);
  const parts = withoutEnd(named.replace(/(?: and|&)[ ,]*$/, ""), " ,;&")
    .split(/ ?[;|] ?| \/ /)
    .filter(isName);
  const agents = parts.map((part) => agentsIn(part, options, remarks));
  if (agents.includes(undefined)) return undivided;
  return { agents: agents.flatMap((one) => one ?? []), remarks: [...remarks] };
}

/** The text with a semicolon between lines that have a whole name each. */
function linesJoined(text: string): string {
  const lines = text
    .trim()
    .split(/[\r\n]+/)
    .map((line) => line.trim());
  return lines.join(lines.every((line) => /[ ,]/.test(line)) ? "; " : " ");
}

/** Undefined if the text cannot be divided safely. */
function agentsIn(text: string, options: Options, remarks: Set<string>): NamedAgent[] | undefined {
  const { text: plain, orcids, hasNote, isList } = plainName(text);
  if (plain === "") return [];
  if (orcids.length === 0 && namesOrganisation(plain)) {
    const parts = plain.split(/,| and | & /);
    const isClear = options.isPersonal !== true && (parts.length === 1 || !parts.some(isListedPerson));
    return isClear ? [{ organisation: text }] : plain.includes(" ") ? undefined : [{ family: plain }];
  }
  const names = peopleIn(plain, { ...options, isList }, remarks);
  if (names === undefined || names.length === 0) return undefined;
  if (hasNote) remarks.add(NOTE_REMARK);
  if (orcids.length === 0) return names;
  const [orcid] = orcids;
  // Several iDs cannot be assigned to their owners.
  return names.length === 1 && orcids.length === 1 && orcid !== undefined ? [{ ...names[0], orcid }] : undefined;
}

/** The persons in a text without notes; undefined if they cannot be told apart. */
function peopleIn(text: string, options: ListOptions, remarks: Set<string>): PersonName[] | undefined {
  const groups = text.split(/,? (?:and|(?<!\bvon )und|&) | ?& ?/).map((group) => withoutEnd(group, " ,"));
  const isAlone = groups.length === 1;
  // “Ann Roe, Bob Poe and Cid Doe” is a list, but “Roe, Ann and Doe, Cid” are inverted names.
  const isList = options.isList || (!isAlone && groups.at(-1)?.includes(",") === false);
  const people = groups.map((group) => peopleInList(partsOf(group, remarks), { ...options, isList }));
  if (people.includes(undefined)) return undefined;
  const names = people.flatMap((one) => one ?? []);
  // In “Ann and Bob Roe”, one part is not a whole name.
  return isAlone || names.every(({ given }) => given !== undefined) ? names : undefined;
}

/** The parts between commas, without degrees. */
function partsOf(text: string, remarks: Set<string>): string[] {
  const parts = text.split(/ ?, ?/).filter(isName);
  const [first = ""] = parts;
  const canBeInitials = (part: string, index: number) => index === 1 && isInitials(part) && !first.includes(" ");
  const named = parts.filter((part, index) => index === 0 || !isDegree(part) || canBeInitials(part, index));
  if (named.length < parts.length) remarks.add(NOTE_REMARK);
  return named;
}

function peopleInList(parts: string[], { isInverted, isPersonal, isList }: ListOptions): PersonName[] | undefined {
  const [first = "", second = ""] = parts;
  if (!parts.every(isPersonName)) return undefined;
  if (parts.length === 1) return endsWithDegree(first) ? undefined : [directName(first)];
  const areFull = parts.every((part) => part.includes(" ") && !isInitials(part));
  const isPair = parts.length === 2 && !(areFull && (isList || parts.every(endsWithInitials)));
  if (isPair && isSuffix(second))
    return [first.includes(" ") ? directName(`${first} ${second}`) : { family: `${first}, ${second}` }];
  // “Roe Poe, Ann Lea” can be one person or two.
  if (isPair) return areFull && !isInverted && !isPersonal ? undefined : [invertedName(first, [second])];
  if (areFull) return parts.map(directName);
  const arePairs = parts.length % 2 === 0 && parts.every((part, index) => isInitials(part) === (index % 2 === 1));
  if (arePairs) return pairs(parts);
  const isSuffixed = parts.length === 3 && /^(?:jr|sr)\.?$|^[ivx]{1,4}$/i.test(parts[2] ?? "");
  return isSuffixed ? [invertedName(first, parts.slice(1))] : undefined;
}

function pairs(parts: string[]): PersonName[] {
  return parts.flatMap((family, index) => (index % 2 === 0 ? [invertedName(family, [parts[index + 1] ?? ""])] : []));
}

function endsWithInitials(part: string): boolean {
  const { given } = directName(part);
  return given !== undefined && isInitials(given) && part.endsWith(given);
}

/** In “Ann Roe MD”, the last word can be a degree or initials. */
function endsWithDegree(name: string): boolean {
  const words = name.split(" ");
  return words.length > 2 && isDegree(words.at(-1) ?? "") && /^\p{Lu}\p{Ll}/u.test(name);
}

/** Whether a part of a list is the name of a person beyond doubt. */
function isListedPerson(part: string): boolean {
  const name = part.trim();
  return isName(name) && (isInitials(name) || endsWithInitials(name));
}

function isName(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}
