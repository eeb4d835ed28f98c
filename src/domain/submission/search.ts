import type { NormalizedMetadata } from "../../describe/metadata/normalized.ts";

/*
 * Full-text search compares folded words. They are folded here and not in the database, so that PostgreSQL and the
 * embedded database have the same results, independent of collations, dictionaries and extensions.
 */

/** The searchable text of a submission. */
interface SearchText {
  /** The folded title. A query may match any part of it. */
  title: string;
  /** Folded, distinct words of titles, descriptions, authors, subjects, funders and places. A query matches their prefixes. */
  words: string[];
}

/** Longest word, in UTF-16 units; PostgreSQL allows 2,046 bytes in a lexeme. */
const LONGEST_WORD = 100;
/** Maximum bytes of words indexed per submission; PostgreSQL allows 1 MiB in a tsvector. */
const MOST_BYTES = 512 * 1024;
/** Maximum number of words of a query that are compared. */
const MOST_QUERY_WORDS = 32;

const WORD = /[\p{L}\p{N}]+/gu;
/** An ORCID iD, its first groups, or another number in groups of four digits. */
const GROUPED = /\d{4}(?:-\d{4})*(?:-[\dx]{1,4})?/g;
/** Scripts that write no spaces between words. Two neighbouring characters count as a word. */
const UNSPACED = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmr}\p{scx=Mymr}]/u;

/** Letters that Unicode does not decompose, with their usual replacements on other keyboards; and the final sigma. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  þ: "th",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  ħ: "h",
  ŧ: "t",
  ı: "i",
  ς: "σ",
};
const LETTER = new RegExp(`[${Object.keys(LETTERS).join("")}]`, "g");

/** A text without case and diacritics (Unicode NFKD): `Ä`, `ä` and `a` are the same, and so are `ß` and `ss`. */
export function fold(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(LETTER, (letter) => LETTERS[letter] ?? letter);
}

const UMLAUTS: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue", Ä: "Ae", Ö: "Oe", Ü: "Ue" };

/** A text with umlauts as they are written without them: `Mueller` for `Müller`. Both are spelled so by those who search. */
export function withoutUmlauts(text: string): string {
  return text.normalize("NFC").replace(/[äöüÄÖÜ]/gu, (letter) => UMLAUTS[letter] ?? letter);
}

/** The searchable text of metadata. A rebuild reads the metadata from an archive, so members may be missing. */
export function searchTextOf(metadata: Partial<NormalizedMetadata>): SearchText {
  const { title = "", description = "", authors = [], subjects = [], titles = [], subjectTerms = [] } = metadata;
  const words = new Set<string>();
  let bytes = 0;
  const add = (text: string | undefined) => {
    const folded = fold(text ?? "");
    for (const word of [...wordsOf(joined(folded)), ...wordsOf(folded)]) {
      if (words.has(word)) continue;
      bytes += Buffer.byteLength(word);
      if (bytes > MOST_BYTES) return;
      words.add(word);
    }
  };
  add(title);
  for (const subject of subjects) add(subject);
  for (const { subject } of subjectTerms) add(subject);
  for (const one of titles) add(one.title);
  for (const { name, firstName, lastName, orcid, affiliation, affiliations = [] } of authors) {
    const institutions = affiliations.map((one) => one.name);
    for (const text of [name, firstName, lastName, orcid, affiliation, ...institutions]) add(text);
  }
  for (const { funderName, awardNumber } of metadata.fundingReferences ?? []) {
    add(funderName);
    add(awardNumber);
  }
  for (const { geoLocationPlace } of metadata.geoLocations ?? []) add(geoLocationPlace);
  add(description);
  for (const one of metadata.descriptions ?? []) add(one.description);
  return { title: fold(title), words: [...words] };
}

/** The search text of a query: part of a title, or prefixes of words that must all be found. */
export function searchQueryOf(q: string): SearchText {
  const folded = fold(q);
  return { title: folded, words: [...new Set(wordsOf(joined(folded)))].slice(0, MOST_QUERY_WORDS) };
}

/** The words of a text, folded, in order. */
export function foldedWords(text: string): string[] {
  return wordsOf(fold(text));
}

/** Joins grouped digits to one word, so that groups of different ORCID iDs do not match. */
function joined(folded: string): string {
  return folded.replace(GROUPED, (groups) => groups.replaceAll("-", ""));
}

function wordsOf(folded: string): string[] {
  return (folded.match(WORD) ?? []).flatMap((run) =>
    UNSPACED.test(run) ? pairsOf(run) : [run.slice(0, LONGEST_WORD).toWellFormed()],
  );
}

/** All pairs of neighbouring characters, and the last character for queries of one character. */
function pairsOf(run: string): string[] {
  const characters = Array.from(run);
  const pairs = characters.slice(1).map((character, index) => `${characters[index]}${character}`);
  return [...pairs, characters.at(-1) ?? ""];
}
