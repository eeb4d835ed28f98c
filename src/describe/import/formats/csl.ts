import { type ResourceType, resourceTypes } from "../../../../packages/rules/src/index.ts";
import { citationType, typeOfCsl } from "../../metadata/values/citation-types.ts";
import type { Draft } from "../draft.ts";
import { namesOrganisation } from "../names/organisation-words.ts";
import type { FileValue } from "../reading/file-value.ts";
import { addDescriptions } from "./descriptions.ts";
import { addKeywords } from "./keywords.ts";
import { addLicences } from "./licence-choice.ts";
import { alternateIdentifier, identifierIn } from "./links.ts";
import { addAuthors, affiliationOf, joined } from "./people.ts";
import { withoutTags } from "./plain-text.ts";

/** Values that this service does not write. */
const OTHER_TYPES: ReadonlyMap<string, ResourceType> = new Map([
  ["article-magazine", "JournalArticle"],
  ["broadcast", "Audiovisual"],
  ["figure", "Image"],
  ["map", "Image"],
]);

/** Names in CSL, and the role of a person. */
const ROLES: ReadonlyMap<string, string> = new Map([
  ["author", "Creator"],
  ["editor", "Editor"],
  ["curator", "DataCurator"],
  ["producer", "Producer"],
  ["translator", "Translator"],
  ["contributor", "Contributor"],
]);

/** Members that only this function reads, or that the service sets when it publishes a dataset, and those of programs. */
const KNOWN: ReadonlySet<string> = new Set([
  ...ROLES.keys(),
  ...["title", "abstract", "version", "type", "genre", "keyword", "language", "DOI", "URL", "PMID", "license"],
  ...["publisher", "issued", "submitted", "available-date", "accessed", "status"],
  ...["id", "schema", "categories", "source", "citation-key", "citation-label", "title-short"],
]);

/** “Family, Given”. */
const INVERTED = /^[^,]+, [^,]+$/;

/** Fills a draft from CSL-JSON 1.0: an item, or a list of which the first item counts. */
export function fromCsl(file: FileValue, draft: Draft): void {
  const [item = file, ...others] = file.asList();
  if (others.length > 0) draft.remark("", `The file describes ${others.length + 1} works. Only the first one is used.`);
  const abstract = item.member("abstract");
  draft.set("title", item.member("title"), withoutTags(item.text("title")));
  addDescriptions([{ text: withoutTags(abstract?.text()), isMain: true, place: abstract?.place ?? "" }], draft);
  draft.setText("versionLabel", item.member("version"));
  draft.setText("language", item.member("language"));
  addType(item, draft);
  for (const [name, role] of ROLES) for (const one of item.entries(name)) addName(one, role, draft);
  addKeywords(item, "keyword", draft);
  const licences = item.entries("license");
  addLicences(
    draft,
    licences.map((one) => ({ spellings: [one.text(), one.text("URL")], place: one.place })),
  );
  addIdentifiers(item, draft);
  addUnused(item, draft);
}

/** The service exports the exact type, or without one the type of DataCite, as genre. */
function addType(item: FileValue, draft: Draft): void {
  const [type, genre] = [item.member("type"), item.member("genre")];
  const [stated, text] = [type?.text() ?? "", genre?.text()];
  const general = resourceTypes.find((one) => one === text && citationType(one).csl === stated);
  const known = general ?? typeOfCsl(stated) ?? OTHER_TYPES.get(stated);
  if (known === undefined && stated !== "" && stated !== "document") {
    draft.remark(type, "No type of DataCite is the same as this type of CSL. It is not used.");
  }
  draft.set("resourceTypeGeneral", type, known);
  if (general === undefined) draft.set("resourceType", genre, text);
}

function addName(name: FileValue, role: string, draft: Draft): void {
  const literal = name.text("literal") ?? name.text("name") ?? name.text();
  const family = joined(name.text("non-dropping-particle"), name.text("family"), name.text("suffix"));
  const given = joined(name.text("given"), name.text("dropping-particle"));
  const isOrganisation = family === undefined && given === undefined && literal !== undefined;
  if (isOrganisation && INVERTED.test(literal) && !namesOrganisation(literal)) {
    draft.remark(name, "CSL has names of organisations as one text. This one could be that of a person. Check it.");
  }
  const [affiliation] = name.entries("affiliation");
  const orcid = name.text("ORCID", "orcid");
  const affiliations = affiliationOf(affiliation?.text("name") ?? affiliation?.text());
  addAuthors({ role, isOrganisation, name: literal, given, family, orcid, affiliations }, name.place, draft);
}

/** An address is used without a DOI only: it usually is that of the page of the DOI. */
function addIdentifiers(item: FileValue, draft: Draft): void {
  const [doi, pmid, url] = [item.member("DOI"), item.member("PMID"), item.member("URL")];
  const isDoi = identifierIn(doi?.text())?.type === "DOI";
  if (doi !== undefined && !isDoi) draft.remark(doi, "The text is not a DOI. It is not used.");
  const main = isDoi ? doi : url;
  draft.add("alternateIdentifiers", main, alternateIdentifier(main?.text()));
  draft.add("alternateIdentifiers", pmid, alternateIdentifier(pmid && `PMID:${pmid.text()}`));
}

function addUnused(item: FileValue, draft: Draft): void {
  const publisher = item.member("publisher");
  if (publisher !== undefined)
    draft.remark(publisher, "“publisher” is not used, because this service publishes the dataset.");
  const members = item.isObject ? Object.keys(item.value as object) : [];
  for (const name of members) {
    const member = KNOWN.has(name) ? undefined : item.member(name);
    if (member !== undefined) draft.remark(member, "The metadata of a dataset have no place for this value.");
  }
}
