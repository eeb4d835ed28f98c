import { fold, foldedWords, withoutUmlauts } from "../../domain/submission/search.ts";

/** A part of a search query. Every part that is not excluded must be found. */
export interface QueryTerm {
  /** Folded words. Several words must follow each other. */
  words: string[];
  /** Whether longer words that begin with the last word match, too. */
  isPrefix: boolean;
  /** Whether datasets that contain it are left out. */
  isExcluded: boolean;
}

/** Maximum number of terms of a query that are compared. */
const MOST_TERMS = 16;
/** The shortest beginning of a word that is compared: shorter ones begin too many words. */
const SHORTEST_PREFIX = 2;
/** An optional minus, and a phrase in quotation marks or a run without spaces. A phrase without an end goes to the end. */
const PART = /(-?)(?:["“”„]([^"“”]*)(?:["“”]|$)|(\S+))/gu;

/**
 * Parses a search query as people write it: words, of which the beginning is enough; phrases in quotation marks; and words or
 * phrases to exclude after a minus sign.
 */
export function queryTermsOf(q: string): QueryTerm[] {
  const terms: QueryTerm[] = [];
  for (const [, minus, phrase, run] of q.matchAll(PART)) {
    const words = foldedWords(phrase ?? run ?? "");
    if (words.length === 0) continue;
    const isPrefix = phrase === undefined && (words.at(-1)?.length ?? 0) >= SHORTEST_PREFIX;
    terms.push({ words, isPrefix, isExcluded: minus === "-" });
    if (terms.length === MOST_TERMS) break;
  }
  return terms;
}

/**
 * The folded words of a text as it is indexed. A word with an umlaut is followed by its spelling without (“Mueller” for
 * “Müller”) in a second text, so that both are found.
 */
export function indexedTextOf(text: string): { text: string; spellings: string } {
  const spelled = (text.normalize("NFC").match(UMLAUT_WORD) ?? []).map(withoutUmlauts);
  return { text: foldedWords(text).join(" "), spellings: [...new Set(spelled.flatMap(foldedWords))].join(" ") };
}

/** The folded spelling of a word without umlauts; undefined if it has none. */
export function spellingOf(word: string): string | undefined {
  const composed = word.normalize("NFC");
  return UMLAUT.test(composed) ? fold(withoutUmlauts(composed)) : undefined;
}

const UMLAUT = /[äöüÄÖÜ]/u;
const UMLAUT_WORD = /[\p{L}\p{N}]*[äöüÄÖÜ][\p{L}\p{N}]*/gu;
