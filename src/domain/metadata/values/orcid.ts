const spelling = /^(?:(?:https?:\/\/)?(?:www\.)?orcid\.org\/)?(\d{4})-?(\d{4})-?(\d{4})-?(\d{3}[\dX])\/?$/i;

/**
 * The canonical form `0000-0002-1825-0097` of an ORCID iD given with or without the URL, or `undefined` if its form or its
 * check digit is wrong.
 */
export function canonicalOrcid(text: string): string | undefined {
  const groups = spelling.exec(text.trim())?.slice(1);
  if (!groups) return undefined;
  const digits = groups.join("").toUpperCase();
  return isniCheckDigit(digits.slice(0, 15)) === digits.slice(15) ? groups.join("-").toUpperCase() : undefined;
}

/** The 16th character of an ORCID iD or ISNI for the first 15 digits: ISO 7064 MOD 11-2, where `X` means ten. */
export function isniCheckDigit(digits: string): string {
  let total = 0;
  for (const digit of digits) total = ((total + Number(digit)) * 2) % 11;
  const check = (12 - total) % 11;
  return check === 10 ? "X" : String(check);
}
