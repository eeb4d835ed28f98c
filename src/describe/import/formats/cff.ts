import type { RelatedIdentifier } from "../../metadata/schema.ts";
import type { RelationType, ResourceType } from "../../metadata/values/terms.ts";
import type { Draft } from "../draft.ts";
import type { FileValue } from "../reading/file-value.ts";
import { addLicences } from "./licence-choice.ts";
import { citationOf, relatedTo } from "./links.ts";
import { addAuthors, affiliationOf } from "./people.ts";

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

/** Fills a draft from a CITATION.cff file (Citation File Format 1.2). */
export function fromCff(file: FileValue, draft: Draft): void {
  const text = (name: string) => ({ value: file.text(name), place: file.member(name)?.place ?? file.place });
  const [title, abstract, version, type] = ["title", "abstract", "version", "type"].map(text);
  draft.set("title", title?.value, title?.place ?? "");
  draft.set("description", abstract?.value, abstract?.place ?? "");
  draft.set("versionLabel", version?.value, version?.place ?? "");
  draft.set("resourceTypeGeneral", TYPES.get(type?.value ?? ""), type?.place ?? "");
  for (const author of file.entries("authors")) addAuthor(author, draft);
  addContact(file, draft);
  for (const keyword of file.entries("keywords")) draft.add("subjects", keyword.text(), keyword.place);
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
  if (family === undefined) return undefined;
  return [person.text("name-particle"), family, person.text("name-suffix")]
    .filter((part) => part !== undefined)
    .join(" ");
}

function addContact(file: FileValue, draft: Draft): void {
  const contact = file.entries("contact").find((one) => one.text("email") !== undefined);
  if (contact === undefined) return;
  const name = contact.text("name") ?? [contact.text("given-names"), familyName(contact)].filter(Boolean).join(" ");
  draft.set("contact", { name: name || undefined, email: contact.text("email") }, contact.place);
}

function addLicence(file: FileValue, draft: Draft): void {
  // Several licences are alternatives.
  const licences = file.entries("license").flatMap((licence) => licence.text() ?? []);
  const spellings = [licences.length > 0 ? licences.join(" OR ") : undefined, file.text("license-url")];
  addLicences(draft, [{ spellings, place: file.member("license", "license-url")?.place ?? "" }]);
}

function addIdentifiers(file: FileValue, draft: Draft): void {
  const doi = file.member("doi");
  const identifiers = file.entries("identifiers").map((entry) => ({
    value: entry.text("value"),
    type: entry.text("type"),
    place: entry.place,
  }));
  for (const { value, type, place } of [{ value: doi?.text(), type: "doi", place: doi?.place ?? "" }, ...identifiers]) {
    if (value === undefined) continue;
    const types = new Map([
      ["doi", "DOI"],
      ["swh", "SWHID"],
      ["url", "URL"],
    ]);
    const stated = { alternateIdentifier: value, alternateIdentifierType: types.get(type ?? "") };
    draft.add("alternateIdentifiers", stated, place);
  }
}

function addRelations(file: FileValue, draft: Draft): void {
  for (const name of ["repository-code", "repository", "repository-artifact", "url"]) {
    const link = file.member(name);
    if (link !== undefined) draft.add("relatedIdentifiers", relatedTo("IsSupplementTo", [link.text()]), link.place);
  }
  const preferred = file.member("preferred-citation");
  if (preferred !== undefined) addReference(preferred, "IsDescribedBy", draft);
  for (const reference of file.entries("references")) addReference(reference, "References", draft);
}

function addReference(reference: FileValue, relation: RelationType, draft: Draft): void {
  const identifiers = reference.entries("identifiers").map((entry) => entry.text("value"));
  const citation = citationOf({
    authors: reference.entries("authors").map(nameIn),
    year: reference.text("year") ?? reference.text("date-released", "date-published")?.slice(0, 4),
    title: reference.text("title"),
    source: reference.text("journal", "collection-title"),
    volume: reference.text("volume"),
    issue: reference.text("issue"),
    pages: pagesOf(reference),
  });
  const related: RelatedIdentifier | undefined = relatedTo(
    relation,
    [reference.text("doi"), ...identifiers, reference.text("url")],
    citation,
  );
  const resourceTypeGeneral = TYPES.get(reference.text("type") ?? "");
  draft.add("relatedIdentifiers", related && { ...related, resourceTypeGeneral }, reference.place);
}

function pagesOf(reference: FileValue): string | undefined {
  const [start, end] = [reference.text("start"), reference.text("end")];
  return start === undefined || end === undefined ? start : `${start}–${end}`;
}

function nameIn(author: FileValue): string | undefined {
  const [family, given] = [familyName(author), author.text("given-names")];
  if (family === undefined) return author.text("name") ?? given;
  return given === undefined ? family : `${family}, ${given}`;
}
