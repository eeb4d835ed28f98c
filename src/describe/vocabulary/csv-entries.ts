import type { CsvRow } from "./csv-rows.ts";
import { funderScheme } from "./identifiers.ts";
import { InvalidVocabulary } from "./invalid-vocabulary.ts";
import type { VocabularyEntry, VocabularyKind } from "./vocabulary.ts";

/** Column titles, in lower case and without signs, of each member of an entry. */
const TITLES = {
  id: [
    ...["id", "uri", "iri", "url", "identifier", "doi", "valueuri", "conceptid", "concepturi", "ror", "rorid"],
    ...["funderid", "funderidentifier", "funderdoi", "funderuri", "fundref", "fundrefid"],
  ],
  label: [
    ...["label", "preflabel", "name", "title", "term", "displayname", "subject", "concept"],
    ...["funder", "fundername", "primaryfunderdisplayname"],
  ],
  alternatives: [
    ...["altlabel", "altlabels", "alternativelabel", "alternativelabels", "synonym", "synonyms", "aliases", "altname"],
    ...["altnames", "alternativename", "alternativenames", "alternatename", "alternatenames", "othernames"],
  ],
  acronyms: ["acronym", "acronyms", "abbreviation", "abbreviations"],
  notation: ["notation", "code", "classificationcode"],
  scheme: ["scheme", "schemename", "subjectscheme", "vocabulary", "conceptscheme"],
  schemeUri: ["schemeuri", "inscheme", "schemeurl", "vocabularyuri"],
  language: ["language", "lang"],
  country: ["country", "countryname", "countrycode", "location"],
  city: ["city", "place"],
  replaced: ["replaced", "replacedby", "isreplacedby", "deprecated"],
} as const;

type Member = keyof typeof TITLES;

/** Signs between several names in one field. A comma can be a part of a name. */
const BETWEEN = /[|;]/;

/** The columns of a CSV file. */
export class CsvColumns {
  readonly #columns = new Map<Member, number[]>();
  readonly #kind: VocabularyKind;
  readonly #language: string | undefined;

  /**
   * Reads the header. Titles can have a prefix, and a language as in `skos:prefLabel@de`.
   *
   * @throws InvalidVocabulary without a place
   */
  constructor(header: CsvRow, kind: VocabularyKind | undefined, language: string | undefined) {
    const members = header.map((title) => memberOf(title));
    const wanted = languageOf(members, language);
    for (const [index, found] of members.entries()) {
      if (found === undefined) continue;
      const isOther = found.member === "label" && found.language !== undefined && found.language !== wanted;
      const member = isOther ? "alternatives" : found.member;
      this.#columns.set(member, [...(this.#columns.get(member) ?? []), index]);
    }
    for (const member of ["id", "label"] as const) {
      if (this.#columns.has(member)) continue;
      const known = TITLES[member].slice(0, 4).join(", ");
      throw new InvalidVocabulary(
        `The CSV file has no column for the ${member === "id" ? "identifier" : "name"} (such as ${known}). Its first line must contain the column titles`,
      );
    }
    this.#kind = kind ?? kindOf(header, members);
    this.#language = language;
  }

  get kind(): VocabularyKind {
    return this.#kind;
  }

  /**
   * The entry of a row; undefined if it was replaced or has another language.
   *
   * @throws InvalidVocabulary without a place
   */
  entry(row: CsvRow): VocabularyEntry | undefined {
    const { member, list } = this.#reader(row);
    const language = member("language");
    if (this.#language !== undefined && language !== null && !isLanguage(language, this.#language)) return undefined;
    if (/^(?!(false|no|0)$)./i.test(member("replaced") ?? "")) return undefined;
    const isFunders = this.#kind === "funders";
    const id = member("id");
    if (id === null) throw new InvalidVocabulary("The identifier is empty");
    const label = member("label");
    if (label === null) throw new InvalidVocabulary("The name is empty");
    return {
      id,
      label,
      acronyms: list("acronyms"),
      alternatives: list("alternatives"),
      language,
      scheme: isFunders ? funderScheme(id) : schemeName(member("scheme")),
      schemeUri: member("schemeUri") ?? addressIn(member("scheme")),
      notation: member("notation"),
      city: member("city"),
      country: member("country"),
    };
  }

  #reader(row: CsvRow) {
    const values = (name: Member) => (this.#columns.get(name) ?? []).map((index) => row[index] ?? "");
    return {
      member: (name: Member) => values(name).find((value) => value !== "") ?? null,
      list: (name: Member) => values(name).flatMap((value) => value.split(BETWEEN).map((one) => one.trim())),
    };
  }
}

interface FoundMember {
  member: Member;
  language: string | undefined;
}

function memberOf(title: string): FoundMember | undefined {
  const [name = "", language] = title.toLowerCase().split("@");
  const plain = (name.split(":").at(-1) ?? "").replace(/[^a-z]/g, "");
  const found = Object.entries(TITLES).find(([, titles]) => (titles as readonly string[]).includes(plain));
  return found === undefined ? undefined : { member: found[0] as Member, language: language?.trim() };
}

/** The language of the labels among columns for several languages. */
function languageOf(members: readonly (FoundMember | undefined)[], wanted: string | undefined): string | undefined {
  const languages = members.flatMap((found) => (found?.member === "label" ? (found.language ?? []) : []));
  return [wanted?.toLowerCase(), "en"].find((one) => one !== undefined && languages.includes(one)) ?? languages[0];
}

function kindOf(header: CsvRow, members: readonly (FoundMember | undefined)[]): VocabularyKind {
  const has = (member: Member) => members.some((found) => found?.member === member);
  if (header.some((title) => /funder|fundref/i.test(title))) return "funders";
  if (has("scheme") || has("schemeUri") || has("notation")) return "subjects";
  if (header.some((title) => /label|term|subject|concept/i.test(title))) return "subjects";
  if (has("country")) return "funders";
  throw new InvalidVocabulary("The columns do not tell what the entries are. Add --kind funders or --kind subjects");
}

const isAddress = (text: string) => /^[a-z][a-z0-9+.-]*:\S+$/i.test(text);

function schemeName(scheme: string | null): string | null {
  return scheme !== null && !isAddress(scheme) ? scheme : null;
}

function addressIn(scheme: string | null): string | null {
  return scheme !== null && isAddress(scheme) ? scheme : null;
}

/** Whether a language tag is this language or a variant of it: `de-AT` is `de`. */
export function isLanguage(tag: string, language: string): boolean {
  const [lower, wanted] = [tag.toLowerCase(), language.toLowerCase()];
  return lower === wanted || lower.startsWith(`${wanted}-`);
}
