import { distance } from "fastest-levenshtein";

/** Independent words that differ from a known name by only one letter. */
const OTHER_WORDS = new Set([
  "county",
  "licensee",
  "licensor",
  "addressee",
  "objects",
  "orchid",
  "tile",
  "labname",
  "embargodays",
]);

/** In names with fewer letters, an exchanged letter does not count as a spelling mistake, because they resemble other words. */
const SHORT = 6;
/** Minimum letters of a known name in which two mistakes are accepted. */
const LONG = 8;
/**
 * Unknown names of one request for which an error suggests a known name. Each comparison takes microseconds, and a request
 * can have 200,000 names.
 */
export const MOST_SUGGESTIONS = 20;
/** Maximum mistakes in a name. */
const MOST_MISTAKES = 2;

/**
 * The known name that an unknown one probably means: the same name in another case or with other separators
 * (`embargo_date`), or with a spelling mistake (a Levenshtein distance of 1, in long names of 2, or exchanged letters).
 * Undefined if the name is known, resembles no known name, has a digit, or is a known name or its singular with an addition
 * (`descriptionDe`, `subjectId`, `licensed`), which is a different word.
 */
export function nearMiss(name: string, known: readonly string[]): string | undefined {
  if (known.includes(name)) return undefined;
  const same = sameName(name, known);
  if (same !== undefined) return same;
  const sent = bare(name);
  if (OTHER_WORDS.has(sent) || /\d/.test(sent)) return undefined;
  const letters = lettersOf(sent);
  return known.find((one) => {
    const meant = bareKnown(one);
    const isSimilar =
      Math.abs(sent.length - meant.bare.length) <= MOST_MISTAKES &&
      // Each mistake removes at most one letter, and adds at most one.
      bits(letters ^ meant.letters) <= 2 * MOST_MISTAKES;
    return isSimilar && !isExtended(sent, meant.bare) && isMisspelt(sent, meant.bare);
  });
}

/** The set of letters of a name as bits. Letters that share a bit only make names more similar. */
function lettersOf(bare: string): number {
  let letters = 0;
  for (let index = 0; index < bare.length; index++) letters |= 1 << (bare.charCodeAt(index) & 31);
  return letters;
}

function bits(letters: number): number {
  let count = 0;
  for (let rest = letters; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}

/** The known name with the same letters in another case or with other separators; undefined if the name is known. */
export function sameName(name: string, known: readonly string[]): string | undefined {
  const same = namesByBare(known).get(bare(name));
  return same === undefined || known.includes(name) ? undefined : same;
}

const byBare = new WeakMap<readonly string[], Map<string, string>>();

/** The known names by their letters, with a cache: a request can have 200,000 names to compare. */
function namesByBare(known: readonly string[]): Map<string, string> {
  const cached = byBare.get(known);
  if (cached !== undefined) return cached;
  // Of several names with the same letters, the first counts.
  const names = new Map(known.toReversed().map((name) => [bare(name), name]));
  byBare.set(known, names);
  return names;
}

/** The name without case and separators. */
export function bare(name: string): string {
  return name.length > 100 ? name : name.toLowerCase().replaceAll(/[_\-. ]/g, "");
}

interface KnownName {
  bare: string;
  letters: number;
}

const knownNames = new Map<string, KnownName>();

/** A known name, with a cache. */
function bareKnown(name: string): KnownName {
  const cached = knownNames.get(name);
  if (cached !== undefined) return cached;
  const known = { bare: bare(name), letters: lettersOf(bare(name)) };
  knownNames.set(name, known);
  return known;
}

/** Whether the name is the known one or its singular with an addition. A plural or a doubled letter does not count as an addition. */
function isExtended(sent: string, known: string): boolean {
  if (sent.startsWith(known)) {
    const addition = sent.slice(known.length);
    return addition !== "s" && addition !== known.at(-1);
  }
  const singular = singularOf(known);
  return singular !== known && sent.startsWith(singular) && sent.length >= singular.length + 2;
}

function singularOf(known: string): string {
  return known.replace(/(?<!s)s$/, "");
}

function isMisspelt(sent: string, known: string): boolean {
  if (hasSameLetters(sent, known)) return sent[0] === known[0];
  const mistakes = distance(sent, known);
  if (mistakes === 1) return known.length >= SHORT || sent.length !== known.length;
  if (distance(sent, singularOf(known)) === 1) return known.length >= SHORT;
  return mistakes === MOST_MISTAKES && known.length >= LONG && sent[0] === known[0];
}

function hasSameLetters(sent: string, known: string): boolean {
  return sent.length === known.length && [...sent].sort().join("") === [...known].sort().join("");
}
