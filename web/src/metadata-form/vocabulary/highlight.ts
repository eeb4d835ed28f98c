import type { VocabularyEntry } from "../../api/vocabularies.ts";

/** A part of a text, and whether it matches the query. */
export interface Segment {
  text: string;
  isMatch: boolean;
}

/** Scripts without spaces between words. */
const UNSPACED = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmr}\p{scx=Mymr}]/u;

/** Splits a text where words of a query are the beginning of words of the text, regardless of case and diacritics. */
export function highlight(text: string, query: string): Segment[] {
  const characters = Array.from(text);
  const folded = characters.map(fold);
  const isMatch = matchesOf(folded, wordsOf(query));
  const segments: Segment[] = [];
  for (const [at, character] of characters.entries()) {
    const last = segments.at(-1);
    // A combining mark belongs to the character before it.
    const isMarked = folded[at] === "" ? (last?.isMatch ?? false) : isMatch.has(at);
    if (last?.isMatch === isMarked) last.text += character;
    else segments.push({ text: character, isMatch: isMarked });
  }
  return segments;
}

/** The acronym or other name because of which an entry was found; undefined if its preferred name has all words. */
export function matchingName({ name, acronyms, alternativeNames }: VocabularyEntry, query: string): string | undefined {
  const words = wordsOf(query);
  const hasAll = (text: string) => words.every((word) => beginnings(fold(text), word).length > 0);
  return hasAll(name) ? undefined : [...acronyms, ...alternativeNames].find(hasAll);
}

/** The positions of the matching characters. @param folded the characters of a text, each folded */
function matchesOf(folded: readonly string[], words: readonly string[]): ReadonlySet<number> {
  const positions = folded.flatMap((part, at) => Array.from({ length: part.length }, () => at));
  const whole = folded.join("");
  const ranges = words.flatMap((word) => beginnings(whole, word).map((begin) => [begin, begin + word.length] as const));
  return new Set(ranges.flatMap(([begin, end]) => positions.slice(begin, end)));
}

/** Where words of a text begin with a word. */
function beginnings(folded: string, word: string): number[] {
  const before = UNSPACED.test(word) ? "" : "(?<![\\p{L}\\p{N}])";
  return Array.from(folded.matchAll(new RegExp(before + word, "gu")), ({ index }) => index);
}

/** The words contain only letters and digits, so they need no escaping in a regular expression. */
function wordsOf(query: string): string[] {
  return fold(query).match(/[\p{L}\p{N}]+/gu) ?? [];
}

function fold(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();
}
