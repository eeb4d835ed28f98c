/** Crockford's Base 32 alphabet: without i, l, o and u. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
const spelling = /^(?:(?:https?:\/\/)?(?:www\.)?ror\.org\/)?(0[0-9a-hjkmnp-tv-z]{6})(\d{2})\/?$/i;

/**
 * The canonical URL `https://ror.org/0xxxxxxxx` of a ROR id given with or without the URL, or `undefined` if it is not a
 * ROR id. Its last two digits are an ISO/IEC 7064 checksum (MOD 97-10) of the seven characters before them, interpreted as
 * a number in base 32 (ror.readme.io, “ROR identifier pattern”).
 */
export function canonicalRor(text: string): string | undefined {
  const [, digits, checksum] = spelling.exec(text.trim().toLowerCase()) ?? [];
  if (digits === undefined || checksum === undefined) return undefined;
  return rorChecksum(digits) === checksum ? `https://ror.org/${digits}${checksum}` : undefined;
}

/** The two check digits for the first seven characters of a ROR id. */
function rorChecksum(digits: string): string {
  let number = 0;
  for (const digit of digits) number = number * 32 + alphabet.indexOf(digit);
  return String(98 - ((number * 100) % 97)).padStart(2, "0");
}
