/**
 * Compares two keys in the order in which S3 lists: that of the bytes of their UTF-8, which is that of their code
 * points. JavaScript's own order is that of UTF-16, where the halves of a pair come before U+E000 to U+FFFF.
 */
export function compareKeys(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const one = a.charCodeAt(at);
    const other = b.charCodeAt(at);
    if (one !== other) return rank(one) - rank(other);
  }
  return a.length - b.length;
}

/** Puts the halves of pairs, which stand for characters from U+10000 on, behind everything else. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit > 0xdfff ? unit - 0x800 : unit + 0x2000;
}
