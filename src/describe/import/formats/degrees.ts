/** A coordinate as a number. Other texts are kept, because the check accepts `51° 49′ N`, too. */
export function degrees(text: string | undefined): number | string | undefined {
  return text !== undefined && /^[+-]?\d{1,3}(?:\.\d{1,30})?(?:e-\d{1,2})?$/.test(text) ? Number(text) : text;
}
