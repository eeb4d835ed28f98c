import type { IdentifierType, RelationType, ResourceType } from "../../../../packages/rules/src/index.ts";
import type { Draft } from "../draft.ts";
import type { FileValue } from "../reading/file-value.ts";
import { addLicences } from "./licence-choice.ts";
import { citationOf, citedName, relatedTo } from "./links.ts";
import { addAuthors, affiliationOf, joined } from "./people.ts";

/** Types of references in CFF that have an equivalent in DataCite. */
const TYPES: ReadonlyMap<string, ResourceType> = new Map([
  ["article", "JournalArticle"],
  ["book", "Book"],
  ["conference-paper", "ConferencePaper"],
  ["data", "Dataset"],
  ["dataset", "Dataset"],
  ["proceedings", "ConferenceProceeding"],
  ["report", "Report"],
  ["software", "Software"],
  ["software-code", "Software"],
  ["standard", "Standard"],
  ["thesis", "Dissertation"],
]);

const IDENTIFIER_TYPES: ReadonlyMap<string, IdentifierType> = new Map([
  ["doi", "DOI"],
  ["swh", "SWHID"],
  ["url", "URL"],
]);

/** Fills a draft from a CITATION.cff file (Citation File Format 1.2). */
export function fromCff(file: FileValue, draft: Draft): void {
  draft.setText("title", file.member("title"));
  draft.setText("description", file.member("abstract"));
  draft.setText("versionLabel", file.member("version"));
  draft.set("resourceTypeGeneral", file.member("type"), TYPES.get(file.text("type") ?? ""));
  for (const author of file.entries("authors")) addAuthor(author, draft);
  addContact(file, draft);
  for (const keyword of file.entries("keywords")) draft.add("subjects", keyword, keyword.text());
  addLicence(file, draft);
  addIdentifiers(file, draft);
  addRelations(file, draft);
}

function addAuthor(author: FileValue, draft: Draft): void {
  const name = author.text("name");
  const stated = {
    role: "Creator",
    isOrganisation: name !== undefined,
    name: name ?? author.text("alias"),
    given: author.text("given-names"),
    family: familyName(author),
    orcid: author.text("orcid"),
    identifiers: [author.text("ror"), author.text("website")],
    affiliations: affiliationOf(author.text("affiliation")),
  };
  addAuthors(stated, author.place, draft);
}

function familyName(person: FileValue): string | undefined {
  const family = person.text("family-names");
  return family && joined(person.text("name-particle"), family, person.text("name-suffix"));
}

function addContact(file: FileValue, draft: Draft): void {
  const contact = file.entries("contact").find((one) => one.text("email") !== undefined);
  if (contact === undefined) return;
  const name = contact.text("name") ?? joined(contact.text("given-names"), familyName(contact));
  draft.set("contact", contact, { name, email: contact.text("email") });
}

function addLicence(file: FileValue, draft: Draft): void {
  // Several licences are alternatives.
  const licences = file.entries("license").flatMap((licence) => licence.text() ?? []);
  const spellings = [licences.length > 0 ? licences.join(" OR ") : undefined, file.text("license-url")];
  addLicences(draft, [{ spellings, place: file.member("license", "license-url")?.place ?? "" }]);
}

function addIdentifiers(file: FileValue, draft: Draft): void {
  const identifiers = file.entries("identifiers").map((at) => ({ at, ...at.texts("value", "type") }));
  for (const { at, value, type } of [
    { at: file.member("doi"), value: file.text("doi"), type: "doi" },
    ...identifiers,
  ]) {
    if (value === undefined) continue;
    const alternateIdentifierType = IDENTIFIER_TYPES.get(type ?? "");
    draft.add("alternateIdentifiers", at, { alternateIdentifier: value, alternateIdentifierType });
  }
}

function addRelations(file: FileValue, draft: Draft): void {
  for (const name of ["repository-code", "repository", "repository-artifact", "url"]) {
    const link = file.member(name);
    if (link !== undefined) draft.add("relatedIdentifiers", link, relatedTo("IsSupplementTo", [link.text()]));
  }
  const preferred = file.member("preferred-citation");
  if (preferred !== undefined) addReference(preferred, "IsDescribedBy", draft);
  for (const reference of file.entries("references")) addReference(reference, "References", draft);
}

function addReference(reference: FileValue, relation: RelationType, draft: Draft): void {
  const identifiers = reference.entries("identifiers").map((entry) => entry.text("value"));
  const { start, end } = reference.texts("start", "end");
  const citation = citationOf({
    ...reference.texts("title", "volume", "issue"),
    authors: reference.entries("authors").map(nameIn),
    year: reference.text("year") ?? reference.text("date-released", "date-published")?.slice(0, 4),
    source: reference.text("journal", "collection-title"),
    pages: start === undefined ? [] : [start, end],
  });
  const related = relatedTo(relation, [reference.text("doi"), ...identifiers, reference.text("url")], citation);
  const resourceTypeGeneral = TYPES.get(reference.text("type") ?? "");
  draft.add("relatedIdentifiers", reference, related && { ...related, resourceTypeGeneral });
}

function nameIn(author: FileValue): string | undefined {
  const family = familyName(author);
  const name = family === undefined ? author.text("name") : undefined;
  return name ?? citedName(family, author.text("given-names"));
}
