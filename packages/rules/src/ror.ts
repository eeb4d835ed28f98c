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

/** The ROR id with a number from 0 to 1,073,741,823; for invented organisations. */
export function rorIdOf(number: number): string {
  let digits = "";
  for (let rest = number; digits.length < 6; rest = Math.floor(rest / 32)) digits = `${alphabet[rest % 32]}${digits}`;
  return `https://ror.org/0${digits}${rorChecksum(`0${digits}`)}`;
}

/** The two check digits for the first seven characters of a ROR id. */
function rorChecksum(digits: string): string {
  let number = 0;
  for (const digit of digits) number = number * 32 + alphabet.indexOf(digit);
  return String(98 - ((number * 100) % 97)).padStart(2, "0");
}
