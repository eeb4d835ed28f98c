/** What XML 1.0, section 2.2, has no way to write; lone surrogates are made U+FFFD by `toWellFormed`. */
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** A text as XML can hold it. */
export function xmlText(text: string): string {
  return text.toWellFormed().replace(FORBIDDEN, "\ufffd");
}
