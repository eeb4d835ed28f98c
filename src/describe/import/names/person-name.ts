/** A name in the parts that metadata have. */
export interface PersonName {
  given?: string;
  family?: string;
}

/** Initials: “A.”, “B.C.”, “J.-P.”, “Yu.”. */
const DOTTED = /^(?:\p{Lu}\p{Ll}?\.-?){1,5}$/u;
/** Initials without dots. More than one capital are initials only beside words in lower case. */
const CAPITALS = /^\p{Lu}(?:-?\p{Lu}){0,2}$/u;
/** Parts of family names in lower case. */
const PARTICLE =
  /^(?:abd|abu|af|al|am|an|ap|auf|aus|av|bei|ben|bin|bint|ibn|[dlst]['’]?|da|dal|dalla|das|de|degli|dei|del|dela|della|delle|dello|dem|den|der|des|di|do|dos|du|e|el|i|im|in|la|las|le|les|lo|los|mac|ni|nic|o|of|op|san|st\.?|saint|sankt|['’][st]|ten|ter|the|thor|to|tot|ua|ul|und|ur|van|vande[nr]?|ver|vom|von|y|zer|zu|zum|zur)$/u;
/** Those that are also written with a capital, and that are not usual as middle names in English. */
const CAPITAL_PARTICLE =
  /^(?:da|de|del|dell[ao]|den|der|des|di|dos|du|ibn|la|le|saint|st\.?|ter|van|vande[nr]?|vom|von|zu[mr]?)$/i;
/** Words between two family names. */
const CONJUNCTION = /^[yie]$/;
const SUFFIX = /^(?:jr|sr)\.?$|^(?:i{2,3}|iv)$/i;
/** “Ann Roe y Bob Poe” are two persons, but “Ann Roe y Poe” is one. */
const CONNECTED = / [yie] \S+ \S/;

/** Whether a text is initials, with or without dots. */
export function isInitials(text: string): boolean {
  return text.split(" ").every((word) => DOTTED.test(word) || CAPITALS.test(word));
}

/** Whether the words can be the name of one person: without digits, and in lower case only particles. */
export function isPersonName(text: string): boolean {
  const words = text.split(" ");
  if (words.length === 1) return true;
  const isMixed = words.some((word) => /^\p{Lu}/u.test(word));
  const isLower = (word: string) => /^\p{Ll}/u.test(word) && !/\p{Lu}/u.test(word);
  if (CONNECTED.test(text)) return false;
  return (
    words.length <= 8 &&
    !/[\d:!?]/.test(text) &&
    !words.some((word) => isMixed && isLower(word) && !PARTICLE.test(word))
  );
}

/** The name in “Carberry, Josiah”: the part before the first comma is the family name. */
export function invertedName(family: string, given: string[]): PersonName {
  const rest = given.filter((part) => part !== "").join(", ");
  return { ...(family !== "" && { family }), ...(rest !== "" && { given: rest }) };
}

/** Whether a part after a comma is a suffix of the name before it. */
export function isSuffix(text: string): boolean {
  return SUFFIX.test(text);
}

/**
 * The given names and the family name in “Josiah Carberry”, “Josiah van der Carberry”, “Dan Van der Roe”, “José Ortega y Gasset”,
 * “Carberry J”, “van Poe B.C.” or “Josiah Carberry Jr.”. A single word is a family name.
 */
export function directName(name: string): PersonName {
  const words = name.split(" ").filter((word) => word !== "");
  const [first = ""] = words;
  if (words.length < 2) return first === "" ? {} : { family: first };
  const suffix = words.length > 2 && SUFFIX.test(words.at(-1) ?? "") ? words.pop() : undefined;
  const family = (parts: string[]) => [...parts, ...(suffix === undefined ? [] : [suffix])].join(" ");
  const initials = initialsAt(words);
  if (initials > 0) return { family: family(words.slice(0, -initials)), given: words.slice(-initials).join(" ") };
  // In “J. Carberry A.”, nothing is certainly a family name.
  if (DOTTED.test(words.at(-1) ?? "")) return { family: family(words) };
  const start = familyStart(words);
  return { given: words.slice(0, start).join(" "), family: family(words.slice(start)) };
}

/** The number of initials after the family name. */
function initialsAt(words: string[]): number {
  const hasLower = words.some((word) => /\p{Ll}/u.test(word) && !PARTICLE.test(word));
  const isInitial = (word: string) => DOTTED.test(word) || (CAPITALS.test(word) && (hasLower || word.length === 1));
  const last = words.findLastIndex((word) => !isInitial(word));
  const isFamily = last >= 0 && words.slice(0, last + 1).every((word) => !isInitial(word));
  return isFamily ? words.length - 1 - last : 0;
}

function familyStart(words: string[]): number {
  let start = words.length - 1;
  // The first word is always a given name.
  while (start > 1 && isParticle(words[start - 1] ?? "")) start -= 1;
  if (start > 1 && CONJUNCTION.test(words[start] ?? "")) start -= 1;
  return start;
}

function isParticle(word: string): boolean {
  return PARTICLE.test(word) || (word.length > 1 && CAPITAL_PARTICLE.test(word));
}
