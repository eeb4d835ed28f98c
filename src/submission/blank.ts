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
