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
  const sent = bare(name);
  const same = known.find((one) => bareKnown(one) === sent);
  if (same !== undefined) return same;
  if (OTHER_WORDS.has(sent) || /\d/.test(sent)) return undefined;
  return known.find((one) => {
    const meant = bareKnown(one);
    const isOfSimilarLength = Math.abs(sent.length - meant.length) <= MOST_MISTAKES;
    return isOfSimilarLength && !isExtended(sent, meant) && isMisspelt(sent, meant);
  });
}

/** The name without case and separators. */
export function bare(name: string): string {
  return name.length > 100 ? name : name.toLowerCase().replaceAll(/[_\-. ]/g, "");
}

const bares = new Map<string, string>();

/** The same for a known name, with a cache: a request can have 200,000 names to compare. */
function bareKnown(name: string): string {
  const known = bares.get(name) ?? bare(name);
  bares.set(name, known);
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
  return [...sent].sort().join("") === [...known].sort().join("");
}
