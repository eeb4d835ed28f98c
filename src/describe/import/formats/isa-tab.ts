import { contributorTypes, knownTerm } from "../../../../packages/rules/src/index.ts";
import { givenText } from "../../../domain/blank.ts";
import type { Draft } from "../draft.ts";
import { InvalidFileError } from "../reading/invalid-file.ts";
import type { TableRow } from "../reading/table.ts";
import { addThanks, fundingIn } from "./funding-text.ts";
import { addLicences } from "./licence-choice.ts";
import { citationOf, relatedTo } from "./links.ts";
import { addAuthors, affiliationOf, joined } from "./people.ts";

/** Words for a person's role in ISA-Tab, and the roles of DataCite. */
const ROLES: readonly [RegExp, string][] = [
  [/curator/, "DataCurator"],
  [/collector/, "DataCollector"],
  [/data manager/, "DataManager"],
  [/supervisor/, "Supervisor"],
  [/sponsor|funder/, "Sponsor"],
];

/** Labels of comments for funders, their identifiers and grants, as MetaboLights, FAIRDOM and others write them. */
const FUNDERS = ["funding agency", "funder", "funder name", "funding"];
const IDENTIFIERS = [
  "funder ror id",
  "funder ror",
  "funder id",
  "funder identifier",
  "funder doi",
  "funding agency id",
];
const GRANTS = ["grant number", "grant identifier", "grant id", "grant", "award number", "funding number"];

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
    draft.set("title", section.place("title"), section.value("title"));
    draft.set("description", section.place("description"), section.value("description"));
    const alternateIdentifier = section.value("identifier");
    if (alternateIdentifier !== undefined) {
      const alternateIdentifierType = `ISA ${section.name} identifier`;
      draft.add("alternateIdentifiers", section.place("identifier"), { alternateIdentifier, alternateIdentifierType });
    }
    addFunding(section, draft);
    const spellings = ["license", "licence", "license url"].map((label) => section.value(label));
    addLicences(draft, [{ spellings, place: section.place("license") }]);
  }
  for (const section of named(" contacts")) addPeople(section, draft);
  for (const section of named(" publications")) addPublications(section, draft);
  for (const section of named(" design descriptors")) addDesigns(section, draft);
}

/** A line with only a name in capitals starts a section. */
function sectionsOf(rows: TableRow[]): IsaSection[] {
  const sections: IsaSection[] = [];
  for (const row of rows) {
    const [label = "", ...values] = row.cells;
    const isSection = /^[A-Z][A-Z ]*$/.test(label) && values.every((value) => value === "");
    if (isSection) sections.push(new IsaSection(label.toLowerCase(), row.line));
    else sections.at(-1)?.add(row);
  }
  return sections;
}

function addPeople(section: IsaSection, draft: Draft): void {
  for (const value of section.columns("person last name", "person first name")) {
    const stated = value("person roles")?.toLowerCase() ?? "";
    const [given, family] = [value("person first name"), value("person last name")];
    if (given === undefined && family === undefined) continue;
    const place = section.place("person last name");
    const read = {
      role: roleOf(stated),
      given: joined(given, value("person mid initials")),
      family,
      orcid: value("person orcid") ?? value("orcid") ?? value("person researcher id"),
      affiliations: affiliationOf(value("person affiliation"), value("person affiliation ror id")),
    };
    const [author] = addAuthors(read, place, draft);
    const email = value("person email");
    if (author !== undefined && email !== undefined && /correspond|contact/.test(stated)) {
      const name = author.name ?? joined(author.firstName, author.lastName);
      draft.set("contact", place, { name, email });
    }
  }
}

function roleOf(stated: string): string {
  const role = ROLES.find(([pattern]) => pattern.test(stated))?.[1] ?? knownTerm(contributorTypes, stated);
  return role ?? "Creator";
}

function addPublications(section: IsaSection, draft: Draft): void {
  for (const value of section.columns("publication doi", "pubmed id", "publication title")) {
    const [doi, pubmed] = [value("publication doi"), value("pubmed id")];
    const citation = citationOf({ authors: [value("publication author list")], title: value("publication title") });
    const identifiers = [doi, doi && `doi:${doi}`, pubmed && `pmid:${pubmed}`, pubmed];
    draft.add(
      "relatedIdentifiers",
      section.place("publication doi"),
      relatedTo("IsDescribedBy", identifiers, citation),
    );
  }
}

function addDesigns(section: IsaSection, draft: Draft): void {
  for (const value of section.columns("design type")) {
    const subject = value("design type");
    if (subject === undefined) continue;
    const code = value("design type term accession number");
    const isAddress = code !== undefined && /^https?:\/\//i.test(code);
    const subjectScheme = value("design type term source ref");
    const place = section.place("design type");
    if (code === undefined && subjectScheme === undefined) draft.add("subjects", place, subject);
    else {
      const address = isAddress ? { valueUri: code } : { classificationCode: code };
      draft.add("subjectTerms", place, { subject, subjectScheme, ...address });
    }
  }
}

/** Adds the funders of a section. A column has a funder and its grants, which semicolons separate. */
function addFunding(section: IsaSection, draft: Draft): void {
  for (const value of section.columns(...FUNDERS, ...GRANTS)) {
    const used = (labels: string[]) => labels.find((label) => value(label) !== undefined);
    const [funders = [], identifiers = [], grants = []] = [FUNDERS, IDENTIFIERS, GRANTS].map((labels) =>
      partsOf(value(used(labels) ?? "")),
    );
    addColumn(funders, identifiers, grants, section.place(used(FUNDERS) ?? used(GRANTS) ?? ""), draft);
  }
}

function addColumn(funders: string[], identifiers: string[], grants: string[], place: string, draft: Draft): void {
  const [funder] = funders;
  const stated = funders.length === 1 && funder !== undefined ? fundingIn(funder) : undefined;
  const isPaired = funders.length > 1 && (grants.length === funders.length || grants.length === 0);
  if (stated !== undefined) {
    const numbers = grants.length === 0 ? [stated.awardNumber] : grants;
    for (const awardNumber of numbers) {
      const { funderName } = stated;
      draft.add("fundingReferences", place, { funderName, funderIdentifier: identifiers[0], awardNumber });
    }
  } else if (isPaired) {
    for (const [index, funderName] of funders.entries()) {
      const funderIdentifier = identifiers.length === funders.length ? identifiers[index] : undefined;
      draft.add("fundingReferences", place, { funderName, funderIdentifier, awardNumber: grants[index] });
    }
  } else addThanks([...funders, ...grants].join("; "), place, draft);
}

function partsOf(text: string | undefined): string[] {
  return (text ?? "")
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** A section of the file: for each label the values of its columns. */
class IsaSection {
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
    return givenText(this.#rows.get(label)?.cells[column + 1]);
  }

  place(label: string): string {
    return `line ${this.#rows.get(label)?.line ?? this.line}`;
  }

  /** A reader of the values of each column, up to the last one in which one of the labels has a value. */
  columns(...labels: string[]): IsaColumn[] {
    const last = labels.map((label) => this.#rows.get(label)?.cells.findLastIndex((cell) => cell !== "") ?? 0);
    return Array.from({ length: Math.max(0, ...last) }, (_, column) => (label) => this.value(label, column));
  }
}

/** Returns the value of a label in a column. */
type IsaColumn = (label: string) => string | undefined;

/** “Study Person Last Name” becomes “person last name”, and “Comment[Study Person ORCID]” becomes “person orcid”. */
function foldLabel(label: string): string {
  const comment = /^comment ?\[([^[\]]*)\]$/i.exec(label.slice(0, 200))?.[1];
  return (comment ?? label)
    .trim()
    .toLowerCase()
    .replace(/^(?:investigation|study) /, "");
}
