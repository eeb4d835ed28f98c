import type { Draft } from "../draft.ts";

/** Longer texts are sentences and not names. */
const LONGEST_NAME = 100;
/** Words of sentences about funding. */
const SENTENCE =
  /\b(?:this|we|our|authors?|was|were|is|are|has|have|been|supported|funded|financed|sponsored|received|thanks?|acknowledge\p{L}*|gefördert|wurde|dank\p{L}*)\b/iu;
const GRANT =
  /^([^()[\]:;]{2,100}?)(?:,|:| [-–—])? ?[([]?(?:(?:research )?(?:grant|award|contract|project)s?(?: agreement)?(?: (?:no|nr|number|id)s?)?\.?:?|(?:no|nr)\.|#) ?#?([\p{L}\p{N}][\p{L}\p{N}./_ -]{0,60}?)[)\]]?\.?$/iu;

/** A number in brackets after the name: “(R21EB029641)”, “(ABC 5886)”. */
const IN_BRACKETS = /^([^()[\]:;]{2,100}?) \(((?:\p{Lu}{2,10} )?[\p{L}\p{N}./_-]*\d[\p{L}\p{N}./_-]*)\)\.?$/u;

/** The funder that a text names, with the number of a grant; undefined if the text is a sentence. */
export function fundingIn(text: string): { funderName: string; awardNumber?: string } | undefined {
  const stated = text.replace(/\s+/g, " ").trim();
  if (stated === "" || stated.length > 2 * LONGEST_NAME) return undefined;
  const [, funderName, awardNumber] = GRANT.exec(stated) ?? IN_BRACKETS.exec(stated) ?? [];
  if (funderName !== undefined && awardNumber !== undefined && /\d/.test(awardNumber) && !SENTENCE.test(funderName)) {
    return { funderName, awardNumber };
  }
  return stated.length > LONGEST_NAME || SENTENCE.test(stated) ? undefined : { funderName: stated };
}

/** Keeps a text about funding that names no single funder. */
export function addThanks(text: string, place: string, draft: Draft): void {
  if (text === "") return;
  draft.extend("acknowledgements", place, text);
  draft.remark(
    place,
    "The text does not name one funder and its grant. It is part of the acknowledgements; enter the funding.",
  );
}
