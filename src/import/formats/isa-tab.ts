import { givenText } from "../../domain/blank.ts";
import { contributorTypes } from "../../domain/metadata/values/roles.ts";
import { knownTerm } from "../../domain/metadata/values/terms.ts";
import type { Draft } from "../draft.ts";
import { InvalidFileError } from "../reading/invalid-file.ts";
import type { TableRow } from "../reading/table.ts";
import { addLicences } from "./licence-choice.ts";
import { citationOf, relatedTo } from "./links.ts";
import { affiliationOf, authorOf } from "./people.ts";

/** Words for a person's role in ISA-Tab, and the roles of DataCite. */
const ROLES: readonly [RegExp, string][] = [
  [/curator/, "DataCurator"],
  [/collector/, "DataCollector"],
  [/data manager/, "DataManager"],
  [/supervisor/, "Supervisor"],
  [/sponsor|funder/, "Sponsor"],
];

/** A section of the file: for each label the values of its columns. */
class Section {
  readonly name: string;
  readonly line: number;
  readonly #rows = new Map<string, TableRow>();

  constructor(name: string, line: number) {
    this.name = name;
    this.line = line;
  }

  add(row: TableRow): void {
    const label = foldLabel(row.cells[0] ?? "");
    if (!this.#rows.has(label)) this.#rows.set(label, row);
  }

  /** The value of a label, without the prefix “Investigation” or “Study”. */
  value(label: string, column = 0): string | undefined {
    return givenText(this.#row(label)?.cells[column + 1]);
  }

  place(label: string): string {
    return `line ${this.#row(label)?.line ?? this.line}`;
  }

  /** The number of the last column in which one of the labels has a value. */
  columns(...labels: string[]): number {
    return Math.max(0, ...labels.map((label) => this.#row(label)?.cells.findLastIndex((cell) => cell !== "") ?? 0));
  }

  #row(label: string): TableRow | undefined {
    return this.#rows.get(label);
  }
}

/**
 * Fills a draft from the investigation file of an ISA-Tab dataset. If the section of the investigation lacks a value, that of
 * the first study is used; people, publications and designs of all studies are used.
 * @throws InvalidFileError without the section INVESTIGATION
 */
export function fromIsaTab(rows: TableRow[], draft: Draft): void {
  const sections = sectionsOf(rows);
  const named = (suffix: string) =>
    ["investigation", "study"].flatMap((start) => sections.filter(({ name }) => name === start + suffix));
  if (!sections.some(({ name }) => name === "investigation")) {
    throw new InvalidFileError("The file has no section “INVESTIGATION”.", "line 1");
  }
  const general = named("");
  for (const section of general) {
    draft.set("title", section.value("title"), section.place("title"));
    draft.set("description", section.value("description"), section.place("description"));
    const alternateIdentifier = section.value("identifier");
    if (alternateIdentifier !== undefined) {
      const alternateIdentifierType = `ISA ${section.name} identifier`;
      draft.add("alternateIdentifiers", { alternateIdentifier, alternateIdentifierType }, section.place("identifier"));
    }
    addFunding(section, draft);
    addLicences(draft, [
      { spellings: [section.value("license") ?? section.value("licence")], place: section.place("license") },
    ]);
  }
  for (const section of named(" contacts")) addPeople(section, draft);
  for (const section of named(" publications")) addPublications(section, draft);
  for (const section of named(" design descriptors")) addDesigns(section, draft);
}

/** A line with only a name in capitals starts a section. */
function sectionsOf(rows: TableRow[]): Section[] {
  const sections: Section[] = [];
  for (const row of rows) {
    const [label = "", ...values] = row.cells;
    const isSection = /^[A-Z][A-Z ]*$/.test(label) && values.every((value) => value === "");
    if (isSection) sections.push(new Section(label.toLowerCase(), row.line));
    else sections.at(-1)?.add(row);
  }
  return sections;
}

/** “Study Person Last Name” becomes “person last name”, and “Comment[Study Person ORCID]” becomes “person orcid”. */
function foldLabel(label: string): string {
  const comment = /^comment ?\[([^[\]]*)\]$/i.exec(label.slice(0, 200))?.[1];
  return (comment ?? label)
    .trim()
    .toLowerCase()
    .replace(/^(?:investigation|study) /, "");
}

function addPeople(section: Section, draft: Draft): void {
  const columns = section.columns("person last name", "person first name");
  for (let column = 0; column < columns; column += 1) {
    const value = (label: string) => section.value(label, column);
    const stated = value("person roles")?.toLowerCase() ?? "";
    const [given, middle] = [value("person first name"), value("person mid initials")];
    const author = authorOf({
      role: roleOf(stated),
      isOrganisation: false,
      given: [given, middle].filter((part) => part !== undefined).join(" ") || undefined,
      family: value("person last name"),
      orcid: value("person orcid") ?? value("orcid") ?? value("person researcher id"),
      affiliations: affiliationOf(value("person affiliation")),
    });
    const place = section.place("person last name");
    if (author !== undefined) draft.add("authors", author, place);
    const email = value("person email");
    if (author !== undefined && email !== undefined && /correspond|contact/.test(stated)) {
      draft.set("contact", { name: [author.firstName, author.lastName].filter(Boolean).join(" "), email }, place);
    }
  }
}

function roleOf(stated: string): string {
  const role = ROLES.find(([pattern]) => pattern.test(stated))?.[1] ?? knownTerm(contributorTypes, stated);
  return role ?? "Creator";
}

function addPublications(section: Section, draft: Draft): void {
  const columns = section.columns("publication doi", "pubmed id", "publication title");
  for (let column = 0; column < columns; column += 1) {
    const value = (label: string) => section.value(label, column);
    const [doi, pubmed] = [value("publication doi"), value("pubmed id")];
    const citation = citationOf({ authors: [value("publication author list")], title: value("publication title") });
    const relation = relatedTo(
      "IsDescribedBy",
      [doi, doi && `doi:${doi}`, pubmed && `pmid:${pubmed}`, pubmed],
      citation,
    );
    draft.add("relatedIdentifiers", relation, section.place("publication doi"));
  }
}

function addDesigns(section: Section, draft: Draft): void {
  for (let column = 0; column < section.columns("design type"); column += 1) {
    const subject = section.value("design type", column);
    if (subject === undefined) continue;
    const code = section.value("design type term accession number", column);
    const isAddress = code !== undefined && /^https?:\/\//i.test(code);
    const subjectScheme = section.value("design type term source ref", column);
    const place = section.place("design type");
    if (code === undefined && subjectScheme === undefined) draft.add("subjects", subject, place);
    else {
      const term = { subject, subjectScheme, valueUri: isAddress ? code : undefined };
      draft.add("subjectTerms", { ...term, classificationCode: isAddress ? undefined : code }, place);
    }
  }
}

function addFunding(section: Section, draft: Draft): void {
  for (let column = 0; column < section.columns("funding agency"); column += 1) {
    const funderName = section.value("funding agency", column);
    const awardNumber = section.value("grant number", column);
    if (funderName === undefined) continue;
    draft.add("fundingReferences", { funderName, awardNumber }, section.place("funding agency"));
  }
}
