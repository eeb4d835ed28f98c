import { citationType } from "../../metadata/values/citation-types.ts";
import { type ResourceType, resourceTypes } from "../../metadata/values/terms.ts";
import type { Draft } from "../draft.ts";
import { namesOrganisation } from "../names/organisation-words.ts";
import type { FileValue } from "../reading/file-value.ts";
import { addDescriptions } from "./descriptions.ts";
import { keywordsIn } from "./keywords.ts";
import { addLicences } from "./licence-choice.ts";
import { identifierIn } from "./links.ts";
import { addAuthors, affiliationOf } from "./people.ts";
import { withoutTags } from "./plain-text.ts";

/** Types of CSL that mean one type of DataCite, or most often this one. */
const TYPES: ReadonlyMap<string, ResourceType> = new Map([
  ["article", "Preprint"],
  ["article-journal", "JournalArticle"],
  ["article-magazine", "JournalArticle"],
  ["book", "Book"],
  ["broadcast", "Audiovisual"],
  ["chapter", "BookChapter"],
  ["collection", "Collection"],
  ["dataset", "Dataset"],
  ["event", "Event"],
  ["figure", "Image"],
  ["graphic", "Image"],
  ["map", "Image"],
  ["motion_picture", "Audiovisual"],
  ["paper-conference", "ConferencePaper"],
  ["periodical", "Journal"],
  ["report", "Report"],
  ["review", "PeerReview"],
  ["software", "Software"],
  ["song", "Sound"],
  ["speech", "Presentation"],
  ["standard", "Standard"],
  ["thesis", "Dissertation"],
  ["webpage", "InteractiveResource"],
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
  ...[
    "title",
    "abstract",
    "version",
    "type",
    "genre",
    "keyword",
    "language",
    "DOI",
    "URL",
    "PMID",
    "license",
    "publisher",
  ],
  ...["issued", "submitted", "available-date", "accessed"],
  ...["id", "schema", "categories", "source", "citation-key", "citation-label", "title-short"],
]);

/** “Family, Given”. */
const INVERTED = /^[^,]+, [^,]+$/;

/** Fills a draft from CSL-JSON 1.0: an item, or a list of which the first item counts. */
export function fromCsl(file: FileValue, draft: Draft): void {
  const [item = file, ...others] = file.asList();
  if (others.length > 0) draft.remark("", `The file describes ${others.length + 1} works. Only the first one is used.`);
  const [title, abstract, version, language] = ["title", "abstract", "version", "language"].map((name) => ({
    value: item.text(name),
    place: item.member(name)?.place ?? "",
  }));
  draft.set("title", withoutTags(title?.value), title?.place ?? "");
  addDescriptions([{ text: withoutTags(abstract?.value), isMain: true, place: abstract?.place ?? "" }], draft);
  draft.set("versionLabel", version?.value, version?.place ?? "");
  draft.set("language", language?.value, language?.place ?? "");
  addType(item, draft);
  for (const [name, role] of ROLES) for (const one of item.entries(name)) addName(one, role, draft);
  for (const keyword of keywordsIn(item.member("keyword"))) draft.add("subjects", keyword.text, keyword.place);
  const licence = item.member("license");
  const stated = item.entries("license").map((one) => ({
    spellings: [one.text(), one.text("URL")],
    place: one.place,
  }));
  if (licence !== undefined) addLicences(draft, stated);
  addIdentifiers(item, draft);
  addUnused(item, draft);
}

/** The service exports the exact type, or without one the type of DataCite, as genre. */
function addType(item: FileValue, draft: Draft): void {
  const [type, genre] = [item.member("type"), item.member("genre")];
  const [stated, text] = [type?.text() ?? "", genre?.text()];
  const general = resourceTypes.find((one) => one === text && citationType(one).csl === stated);
  const known = general ?? TYPES.get(stated);
  if (known === undefined && stated !== "" && stated !== "document") {
    draft.remark(type?.place ?? "", "No type of DataCite is the same as this type of CSL. It is not used.");
  }
  draft.set("resourceTypeGeneral", known, type?.place ?? "");
  if (general === undefined) draft.set("resourceType", text, genre?.place ?? "");
}

function addName(name: FileValue, role: string, draft: Draft): void {
  const joined = (...parts: string[]) => parts.flatMap((part) => name.text(part) ?? []).join(" ") || undefined;
  const literal = name.text("literal") ?? name.text("name") ?? name.text();
  const family = joined("non-dropping-particle", "family", "suffix");
  const given = joined("given", "dropping-particle");
  const isOrganisation = family === undefined && given === undefined && literal !== undefined;
  if (isOrganisation && INVERTED.test(literal) && !namesOrganisation(literal)) {
    draft.remark(
      name.place,
      "CSL has names of organisations as one text. This one could be that of a person. Check it.",
    );
  }
  const [affiliation] = name.entries("affiliation");
  addAuthors(
    {
      ...{ role, isOrganisation, name: literal, given, family },
      orcid: name.text("ORCID", "orcid"),
      affiliations: affiliationOf(affiliation?.text("name") ?? affiliation?.text()),
    },
    name.place,
    draft,
  );
}

/** An address is used without a DOI only: it usually is that of the page of the DOI. */
function addIdentifiers(item: FileValue, draft: Draft): void {
  const [doi, pmid, url] = [item.member("DOI"), item.member("PMID"), item.member("URL")];
  const ofDoi = identifierIn(doi?.text());
  if (doi !== undefined && ofDoi?.type !== "DOI") draft.remark(doi.place, "The text is not a DOI. It is not used.");
  for (const [found, one] of [
    [ofDoi?.type === "DOI" ? ofDoi : identifierIn(url?.text()), ofDoi?.type === "DOI" ? doi : url],
    [identifierIn(pmid && `PMID:${pmid.text()}`), pmid],
  ] as const) {
    const identifier = found && { alternateIdentifier: found.identifier, alternateIdentifierType: found.type };
    draft.add("alternateIdentifiers", identifier, one?.place ?? "");
  }
}

function addUnused(item: FileValue, draft: Draft): void {
  const publisher = item.member("publisher");
  if (publisher !== undefined)
    draft.remark(publisher.place, "“publisher” is not used, because this service publishes the dataset.");
  const members = item.isObject ? Object.keys(item.value as object) : [];
  for (const name of members) {
    const member = KNOWN.has(name) ? undefined : item.member(name);
    if (member !== undefined) draft.remark(member.place, "The metadata of a dataset have no place for this value.");
  }
}
