import { canonicalOrcid } from "../../../../packages/rules/src/index.ts";

/** A name without what is written beside it. */
export interface PlainName {
  text: string;
  orcids: string[];
  /** Whether words were removed: a note in brackets, a title or a degree. */
  hasNote: boolean;
  /** Whether footnote marks before commas show that the text is a list of names. */
  isList: boolean;
}

const ORCID =
  /(?:(?:https?:\/\/)?(?:www\.)?orcid\.org\/|orcid(?: id)?[: ]{1,3})?\b(?:\d{4}[-\u2010-\u2013]){3}\d{3}[\dX]\b\/?/gi;
/** Marks of footnotes: equal contribution, correspondence, death. */
const MARKS = /[*†‡§¶#✉\u00b9\u00b2\u00b3\u2070-\u2079]+/g;
/** Numbers of footnotes after a word. */
const NUMBERS = /(?<=\p{L})[ ^]?\d{1,2}(?:,\d{1,2})*(?=\s*(?:$|[,&]|and\b|und\b))/gu;
/** A mark or number of a footnote before a comma: the comma separates persons. */
const MARKED = /[*†‡§¶#\u00b9\u00b2\u00b3\u2070-\u2079]\s*,|\p{L}\d{1,2}\s*,(?!\d)/u;
const MAIL = / ?<?[^\s<>@,;()]{1,64}@[^\s<>@,;()]{1,200}>?/g;
/** Years of birth and death, as libraries write them after a name. */
const LIFE = /,? ?\(?\d{4} ?[-–] ?(?:\d{4})?\)?\.?$/;
const EMPTY = /\( ?\)|\[ ?\]/g;
const NOTE = / ?[([{][^()[\]{}]{0,300}[)\]}](?= ?(?:$|[,&]|and\b))/g;
const TITLES =
  /^(?:(?:prof(?:essor)?|dr|mr|mrs|ms|ing|dipl\.?-?\p{L}{0,10}|ph\.?d|(?:rer|med|phil|agr|h|vet|dent|iur|jur|oec|habil)\. ?(?:nat|c|publ)?)(?:\.[ -]?| ))+(?=\p{Lu})/iu;
/** Degrees that cannot be initials. */
const DEGREES = /(?: (?:ph\.? ?d|d\.?phil|m\.?sc|b\.?sc|dr)\.?)+$/i;
const DEGREE =
  /^(?:ph\.? ?d|d\.? ?phil|m\.? ?d|m\.? ?sc|b\.? ?sc|m\.? ?p\.? ?h|mba|m\.?eng|b\.?eng|r\.? ?n|m\.? ?a|b\.? ?a|dr|prof|dipl\.?-?\p{L}{0,10}|esq)\.?$/iu;

/** Takes ORCID iDs, notes in brackets, titles, degrees and footnote marks from a name. */
export function plainName(stated: string): PlainName {
  const orcids = [...stated.matchAll(ORCID)].flatMap(([found]) => canonicalOrcid(found) ?? []);
  const marked = stated.replace(ORCID, "").replace(EMPTY, "").replace(MARKS, "");
  // A user name such as “carberry42” has a number, too.
  const unmarked = (stated.trim().includes(" ") ? marked.replace(NUMBERS, "") : marked).trim();
  const text = unmarked
    .replace(MAIL, "")
    .replace(LIFE, "")
    .replace(NOTE, "")
    .trim()
    .replace(TITLES, "")
    .replace(DEGREES, "");
  return { text: withoutEnd(text, " ,;&^"), orcids, hasNote: text !== unmarked, isList: MARKED.test(stated) };
}

/** The text without footnote marks. */
export function withoutMarks(text: string): string {
  return text.replace(MARKS, "").trim();
}

/** Whether a part of a name is an academic degree. “MD” and “MA” can also be initials. */
export function isDegree(text: string): boolean {
  return DEGREE.test(text);
}

/** The text without any of the characters at its end. */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
