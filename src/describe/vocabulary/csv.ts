import { pipeline } from "node:stream";
import { CsvError, type Info, parse } from "csv-parse";
import { count } from "../../domain/numbers.ts";
import { funderScheme } from "./identifiers.ts";
import { InvalidVocabulary } from "./invalid-vocabulary.ts";
import type { Located } from "./json-entries.ts";
import type { VocabularyEntry, VocabularyKind } from "./vocabulary.ts";

/** Column titles, in lower case and without signs, of each member of an entry. */
const TITLES = {
  id: `
    id uri iri url identifier doi valueuri conceptid concepturi ror rorid funderid funderidentifier funderdoi
    funderuri fundref fundrefid
  `,
  label: `
    label preflabel name title term displayname subject concept funder fundername primaryfunderdisplayname
  `,
  alternatives: `
    altlabel altlabels alternativelabel alternativelabels synonym synonyms aliases altname altnames alternativename
    alternativenames alternatename alternatenames othernames
  `,
  acronyms: "acronym acronyms abbreviation abbreviations",
  notation: "notation code classificationcode",
  scheme: "scheme schemename subjectscheme vocabulary conceptscheme",
  schemeUri: "schemeuri inscheme schemeurl vocabularyuri",
  language: "language lang",
  country: "country countryname countrycode location",
  city: "city place",
  replaced: "replaced replacedby isreplacedby deprecated",
};

type Member = keyof typeof TITLES;
const MEMBERS = Object.keys(TITLES) as Member[];

function titlesOf(member: Member): string[] {
  return TITLES[member].trim().split(/\s+/);
}

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
      const known = titlesOf(member).slice(0, 4).join(", ");
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
  const member = MEMBERS.find((one) => titlesOf(one).includes(plain));
  return member && { member, language: language?.trim() };
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

/** Maximum characters of a row, so that a file without line breaks does not fill the memory. */
const LONGEST_ROW = 1_000_000;
const SEPARATORS = [",", ";", "\t"] as const;

/** The values of a row in the order of the header. */
type CsvRow = readonly string[];

/**
 * Reads the rows of a CSV file, the header first. Fields are separated by commas, semicolons or tabs, as in the header.
 *
 * @throws InvalidVocabulary, and the errors of `texts`
 */
export async function* readCsvRows(texts: AsyncIterable<string>): AsyncGenerator<Located<CsvRow>> {
  const iterator = texts[Symbol.asyncIterator]();
  let begin = "";
  // The separator is known after the first line.
  while (!begin.trimStart().includes("\n")) {
    const next = await iterator.next();
    if (next.done) break;
    begin += next.value;
    if (begin.length > LONGEST_ROW) throw new InvalidVocabulary("The first line of the CSV file is too long");
  }
  const parser = parse({
    delimiter: separatorOf(begin.trimStart().split("\n", 1)[0] ?? ""),
    info: true,
    max_record_size: LONGEST_ROW,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
  });
  // An error ends the last stream, whose reader receives it.
  const rows = pipeline(continued(begin, iterator), parser, () => undefined);
  try {
    for await (const { record, info } of rows as AsyncIterable<{ record: string[]; info: Info }>) {
      yield { place: `line ${count(info.lines)}`, value: record.map((field) => field.trim()) };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines } = error as unknown as Info;
    throw new InvalidVocabulary(`The file is not valid CSV (line ${count(lines ?? 1)}): ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

async function* continued(begin: string, rest: AsyncIterator<string>): AsyncGenerator<string> {
  yield begin;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

/** The separator that the header has most often. */
function separatorOf(header: string): string {
  const times = (separator: string) => header.split(separator).length;
  return [...SEPARATORS].sort((one, other) => times(other) - times(one))[0] ?? ",";
}

function reasonOf({ code, message }: CsvError): string {
  return REASONS[code] ?? message;
}

const REASONS: Partial<Record<CsvError["code"], string>> = {
  CSV_QUOTE_NOT_CLOSED: "a quotation mark is not closed",
  CSV_RECORD_INCONSISTENT_FIELDS_LENGTH: "the row does not have as many fields as the header",
  CSV_INVALID_CLOSING_QUOTE: "a quotation mark within a field is not doubled",
  INVALID_OPENING_QUOTE: "a quotation mark within a field is not doubled",
  CSV_MAX_RECORD_SIZE: "the row is too long",
};
