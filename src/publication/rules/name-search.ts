import type { NormalizedAuthor, NormalizedMetadata } from "../../describe/metadata/normalized.ts";
import { fold } from "../../domain/submission/search.ts";

/** What of a text can tell who made a dataset. */
export type IdentifyingKind = "name" | "email" | "orcid" | "link";

/** A passage of a text that can tell who made a dataset. */
export interface IdentifyingPassage {
  kind: IdentifyingKind;
  /** The name as the metadata state it, or the passage. */
  text: string;
}

const WORD = /[\p{L}\p{N}]+/gu;
/** Scripts that write no spaces between words. */
const UNSPACED = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmr}\p{scx=Mymr}]/u;
/** Shortest single name that is also searched within the words of a path: `smithdata.csv`. */
const LONG_NAME = 5;
/** Abbreviations of institutions in their names: “Leibniz Institute … (IPK)”. */
const ACRONYM = /\b\p{Lu}{3,}\b/gu;
const PATTERNS: readonly [IdentifyingKind, RegExp][] = [
  ["email", /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g],
  ["orcid", /\b\d{4}-\d{4}-\d{4}-\d{3}[\dX]\b/g],
  ["link", /\b(?:https?:\/\/|doi:|10\.\d{4,9}\/)\S{1,300}/gi],
];

interface Name {
  stated: string;
  words: readonly string[];
}

/**
 * Searches texts and paths for the people, institutions and funders that metadata name. It warns the owner of an anonymous
 * link; it cannot find names that the metadata do not contain.
 */
export class NameSearch {
  readonly #byFirst: ReadonlyMap<string, readonly Name[]>;
  readonly #unspaced: readonly { stated: string; folded: string }[];
  readonly #long: readonly Name[];

  /** @param more further names, such as that of the publisher */
  constructor(metadata: NormalizedMetadata, more: readonly string[] = []) {
    const stated = [...new Set([...namesIn(metadata), ...more].map((name) => name.trim()))];
    const names = stated.flatMap((name) => spellingsOf(name).map((words) => ({ stated: name, words })));
    this.#byFirst = Map.groupBy(
      names.filter(({ words }) => words.join("").length > 1),
      ({ words }) => words[0] ?? "",
    );
    this.#unspaced = stated
      .filter((name) => UNSPACED.test(name))
      .map((name) => ({ stated: name, folded: fold(name).replace(/\s+/g, "") }));
    this.#long = names.filter(({ words: [word = "", ...others] }) => others.length === 0 && word.length >= LONG_NAME);
  }

  /** What tells who made the dataset in a text, each once. */
  inText(text: string): IdentifyingPassage[] {
    const found = new Map(this.#namesIn(wordsOf(text), text).map((name) => [name, "name" as IdentifyingKind]));
    for (const [kind, pattern] of PATTERNS) for (const [passage] of text.matchAll(pattern)) found.set(passage, kind);
    return [...found].map(([passage, kind]) => ({ kind, text: passage }));
  }

  /** The same for a path, whose words can be joined: `SmithData2.csv`. */
  inPath(path: string): IdentifyingPassage[] {
    const apart = path.replace(/(\p{Ll})(?=\p{Lu})|(\p{L})(?=\p{N})|(\p{N})(?=\p{L})/gu, "$& ");
    const words = wordsOf(path);
    const inWords = this.#long.filter(({ words: [name = ""] }) => words.some((word) => word.includes(name)));
    const names = [
      ...this.#namesIn(words, path),
      ...this.#namesIn(wordsOf(apart), path),
      ...inWords.map(({ stated }) => stated),
    ];
    return [...new Set(names)].map((text) => ({ kind: "name", text }));
  }

  #namesIn(words: readonly string[], text: string): string[] {
    const found = new Set<string>();
    for (const [at, word] of words.entries()) {
      for (const name of this.#byFirst.get(word) ?? []) {
        if (name.words.every((one, n) => words[at + n] === one)) found.add(name.stated);
      }
    }
    if (this.#unspaced.length > 0) {
      const folded = fold(text).replace(/\s+/g, "");
      for (const name of this.#unspaced) if (folded.includes(name.folded)) found.add(name.stated);
    }
    return [...found];
  }
}

/** The names of people, institutions and funders in metadata, and what identifies a grant. */
function namesIn({ authors, contact, fundingReferences = [] }: NormalizedMetadata): string[] {
  const institutions = [
    ...authors.flatMap(({ affiliation, affiliations = [] }) => [affiliation, ...affiliations.map(({ name }) => name)]),
    ...fundingReferences.map(({ funderName }) => funderName),
  ].filter((name) => name !== undefined);
  return [
    ...authors.flatMap(namesOfAuthor),
    ...institutions,
    ...institutions.flatMap((name) => name.match(ACRONYM) ?? []),
    ...fundingReferences.flatMap(({ awardNumber, awardTitle }) => [awardNumber, awardTitle]),
    contact?.name,
    contact?.email,
  ].filter((name) => name !== undefined);
}

function namesOfAuthor({ name, nameType, lastName, orcid }: NormalizedAuthor): (string | undefined)[] {
  const [family, given] = name?.split(",", 2) ?? [];
  // “Smith, Ann”, or “Ann Smith” if it is known to be a person.
  const surname = given !== undefined ? family : nameType === "Personal" ? name?.split(/\s+/).at(-1) : undefined;
  return [name, surname, lastName, orcid];
}

/** The words of a name, also with “ae” for “ä”, as file names often have it. */
function spellingsOf(name: string): string[][] {
  const spelt = name.replace(/[äöüÄÖÜ]/g, (letter) => `${letter.normalize("NFD").charAt(0)}e`);
  return [...new Set([name, spelt])].map(wordsOf).filter((words) => words.length > 0);
}

function wordsOf(text: string): string[] {
  return fold(text).match(WORD) ?? [];
}
