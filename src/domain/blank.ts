/** RFC 5321, section 4.5.3.1.3, without the angle brackets. */
const LONGEST_ADDRESS = 254;

const LONGEST_LOCAL_PART = 64;

const ADDRESS =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]$/;
/**
 * Characters that show nothing by themselves: white space, control and format characters, marks without a letter,
 * everything that Unicode lets a renderer leave out (UAX #44, Default_Ignorable_Code_Point), and the empty Braille pattern.
 */
const SHOWS_NOTHING = /^[\s\p{Z}\p{Cc}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Whether a person sees nothing where this text is shown. */
export function isBlank(text: string): boolean {
  return SHOWS_NOTHING.test(text);
}

/** The text without white space at its ends; undefined when it is blank, which means “not given”. */
export function givenText(text: string | undefined): string | undefined {
  return text === undefined || isBlank(text) ? undefined : text.trim();
}

/**
 * Whether mail can be sent to this: one plain address in ASCII (RFC 5322 dot-atom at a name with a dot). Quoted parts,
 * comments, display names and address literals are not taken, so no part of it can be read as another address or header.
 */
export function isMailAddress(text: string): boolean {
  return text.length <= LONGEST_ADDRESS && text.indexOf("@") <= LONGEST_LOCAL_PART && ADDRESS.test(text);
}
