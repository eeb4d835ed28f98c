/** Base 32 after Crockford: without i, l, o and u. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
const spelling = /^(?:(?:https?:\/\/)?(?:www\.)?ror\.org\/)?(0[0-9a-hjkmnp-tv-z]{6})(\d{2})\/?$/i;

/**
 * The canonical URL `https://ror.org/0xxxxxxxx` of a ROR id that was given bare or as a URL, or `undefined` when it is
 * none. Its last two digits are a checksum after ISO/IEC 7064 (MOD 97-10) over the seven characters before them, read
 * as a number in base 32 (ror.readme.io, “ROR identifier pattern”).
 */
export function canonicalRor(text: string): string | undefined {
  const [, digits, checksum] = spelling.exec(text.trim().toLowerCase()) ?? [];
  if (digits === undefined || checksum === undefined) return undefined;
  return rorChecksum(digits) === checksum ? `https://ror.org/${digits}${checksum}` : undefined;
}

/** The two check digits for the seven characters of a ROR id that stand before them. */
function rorChecksum(digits: string): string {
  let number = 0;
  for (const digit of digits) number = number * 32 + alphabet.indexOf(digit);
  return String(98 - ((number * 100) % 97)).padStart(2, "0");
}
