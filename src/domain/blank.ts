/** RFC 5321, section 4.5.3.1.3, without the angle brackets. */
const LONGEST_ADDRESS = 254;

const LONGEST_LOCAL_PART = 64;

const ADDRESS =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]$/;
/**
 * Characters that are invisible on their own: white space, control and format characters, marks without a letter,
 * characters that a renderer may omit (UAX #44, Default_Ignorable_Code_Point), and the empty Braille pattern.
 */
const SHOWS_NOTHING = /^[\s\p{Z}\p{Cc}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Whether the text has no visible character. */
export function isBlank(text: string): boolean {
  return SHOWS_NOTHING.test(text);
}

/** The text without leading and trailing white space; undefined if it is blank, which means “not given”. */
export function givenText(text: string | undefined): string | undefined {
  return text === undefined || isBlank(text) ? undefined : text.trim();
}

/**
 * Whether the text is one plain ASCII mail address (RFC 5322 dot-atom at a name with a dot). Quoted parts, comments,
 * display names and address literals are refused, so that no part can be interpreted as a different address or a header.
 */
export function isMailAddress(text: string): boolean {
  return text.length <= LONGEST_ADDRESS && text.indexOf("@") <= LONGEST_LOCAL_PART && ADDRESS.test(text);
}
