/** An iD alone, or as an address at orcid.org, also that of a user's own page (`/my-orcid?orcid=…`). */
const spelling =
  /^(?:(?:https?:\/\/)?(?:www\.)?orcid\.org\/(?:my-orcid\/?\?orcid=)?|orcid(?: ?id)?\s*[:=]?\s*)?(\d{4})[- ]?(\d{4})[- ]?(\d{4})[- ]?(\d{3}[\dX])\/?$/i;
/** What browsers add to the address of a page. */
const ADDRESS_END =
  /^((?:https?:\/\/)?(?:www\.)?orcid\.org\/\d{4}-\d{4}-\d{4}-\d{3}[\dX])(?:\/(?:print)?)?(?:[?#].*)?$/i;
/** Hyphens and dashes that word processors write, and characters without width. */
const DASHES = /[\u00ad\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g;
const INVISIBLE = /[\u200b-\u200f\u2060\ufeff]/g;

/**
 * The first 15 digits of the blocks of ISNI that are reserved for ORCID (support.orcid.org, “Structure of the ORCID
 * Identifier”). Other numbers of this form are ISNIs, also those of organisations.
 */
const RANGES: readonly [from: number, to: number][] = [
  [15_000_000, 35_000_000],
  [900_000_000_000, 900_100_000_000],
];

/**
 * The canonical form `0000-0002-1825-0097` of an ORCID iD given with or without the URL, also as people paste it, or
 * `undefined` if its form or its check digit is wrong, or if it is an ISNI that is not an ORCID iD.
 */
export function canonicalOrcid(text: string): string | undefined {
  const stated = text.replace(DASHES, "-").replace(INVISIBLE, "").trim().replace(ADDRESS_END, "$1");
  const groups = spelling.exec(stated)?.slice(1);
  if (!groups) return undefined;
  const digits = groups.join("").toUpperCase();
  const number = Number(digits.slice(0, 15));
  const isReserved = RANGES.some(([from, to]) => number >= from && number <= to);
  const isChecked = isniCheckDigit(digits.slice(0, 15)) === digits.slice(15);
  return isReserved && isChecked ? groups.join("-").toUpperCase() : undefined;
}

/** The 16th character of an ORCID iD or ISNI for the first 15 digits: ISO 7064 MOD 11-2, where `X` means ten. */
export function isniCheckDigit(digits: string): string {
  let total = 0;
  for (const digit of digits) total = ((total + Number(digit)) * 2) % 11;
  const check = (12 - total) % 11;
  return check === 10 ? "X" : String(check);
}
