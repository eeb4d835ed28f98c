import { foldedWords } from "../../domain/submission/search.ts";

/** What the entries of a vocabulary describe. */
export const VOCABULARY_KINDS = ["organisations", "funders", "subjects"] as const;

export type VocabularyKind = (typeof VOCABULARY_KINDS)[number];

/** A term of a controlled vocabulary, or an organisation of a registry. */
export interface VocabularyEntry {
  /** Identifier, usually a web address. It is unique within the vocabulary. */
  id: string;
  /** The preferred name. */
  label: string;
  acronyms: string[];
  /** Other names, also in other languages. */
  alternatives: string[];
  /** Language of the label (BCP 47). */
  language: string | null;
  /** Address of the concept scheme that the file names for this entry. */
  schemeUri: string | null;
  /** Name of the scheme; null for the name that the vocabulary has for `schemeUri`. */
  scheme: string | null;
  notation: string | null;
  city: string | null;
  country: string | null;
}

/** Which name of an entry a search term is. Better matches first. */
export const LABEL = 0;
const ACRONYM = 1;
export const ALTERNATIVE = 2;

/** The searchable text of an entry. */
interface VocabularySearchText {
  /** The words of each name, joined by spaces, with the rank of the name. */
  names: { term: string; rank: number }[];
  /** The distinct words of all names. */
  words: string[];
}

/** Maximum length of a term in UTF-16 units. An index entry of PostgreSQL can have 2,704 bytes. */
const LONGEST_TERM = 200;
/** Maximum number of words of a query that are compared. */
const MOST_QUERY_WORDS = 16;

/** The searchable text of an entry. */
export function vocabularySearchTextOf(entry: VocabularyEntry): VocabularySearchText {
  const ranks = new Map<string, number>();
  const words = new Set<string>();
  const add = (name: string, rank: number) => {
    const own = foldedWords(name);
    for (const word of own) words.add(word);
    const term = termOf(own);
    if (term !== "" && !ranks.has(term)) ranks.set(term, rank);
  };
  add(entry.label, LABEL);
  for (const acronym of entry.acronyms) add(acronym, ACRONYM);
  if (entry.notation !== null) add(entry.notation, ACRONYM);
  for (const name of entry.alternatives) add(name, ALTERNATIVE);
  return { names: [...ranks].map(([term, rank]) => ({ term, rank })), words: [...words] };
}

/** Maximum number of words with one letter that are compared: very many entries have words that begin with each. */
const MOST_LETTERS = 2;
/** In other scripts, one character can be a word. */
const LETTER = /^[\p{Script=Latin}\d]$/u;

/** The search text of a query: a term, which is compared with complete names, and its words. */
export function vocabularyQueryOf(q: string): { term: string; words: string[] } {
  const words = foldedWords(q);
  let letters = 0;
  const compared = [...new Set(words)].filter((word) => !LETTER.test(word) || ++letters <= MOST_LETTERS);
  return { term: termOf(words), words: compared.slice(0, MOST_QUERY_WORDS) };
}

function termOf(words: readonly string[]): string {
  return words.join(" ").slice(0, LONGEST_TERM).toWellFormed();
}
