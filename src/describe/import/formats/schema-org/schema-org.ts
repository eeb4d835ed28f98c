import { knownTerm, resourceTypes } from "../../../metadata/values/terms.ts";
import type { Draft } from "../../draft.ts";
import type { FileValue } from "../../reading/file-value.ts";
import { addLicences } from "../licence-choice.ts";
import { identifierIn } from "../links.ts";
import { addAgents } from "./agents.ts";
import { addDates, addPlace } from "./coverage.ts";
import { globalIdOf, idOf, type Resolve, schemeOf } from "./entity.ts";
import { addFunding } from "./funding.ts";
import { addRelations } from "./relations.ts";
import { addKeywords, addTerm } from "./subjects.ts";
import { addTexts } from "./texts.ts";

/** Fills a draft from an entity in the vocabulary of schema.org, or of CodeMeta 1. */
export function fromSchemaOrg(root: FileValue, draft: Draft, resolve: Resolve): void {
  const all = (...names: string[]) => root.entries(...names).map(resolve);
  const title = root.member("name", "title");
  draft.set("title", title?.text(), title?.place ?? root.place);
  for (const other of root.entries("alternateName", "alternativeHeadline")) {
    const title = other.text();
    if (title !== undefined) draft.add("titles", { title, titleType: "AlternativeTitle" }, other.place);
  }
  addTexts(root, draft);
  const version = root.member("version", "softwareVersion");
  draft.set("versionLabel", version?.text(), version?.place ?? root.place);
  addAgents(root, draft, resolve);
  addContact(all("contactPoint"), draft);
  const [language] = all("inLanguage");
  draft.set("language", language?.text("alternateName", "name") ?? language?.text(), language?.place ?? root.place);
  const terms = all("about").flatMap((about) => addTerm(about, draft, resolve) ?? []);
  addKeywords(root, terms, draft, resolve);
  addLicences(
    draft,
    all("license", "licenseId").map((licence) => statedLicence(licence, resolve)),
  );
  addFunding(root, draft, resolve);
  addRelations(root, draft, resolve);
  addDates(root, draft);
  for (const place of [...all("spatialCoverage"), ...all("contentLocation")]) addPlace(place, draft, resolve);
  for (const identifier of all("identifier")) addIdentifier(identifier, root, draft);
  addTypes(root, draft);
}

function statedLicence(licence: FileValue, resolve: Resolve) {
  const [part] = licence.entries("about").map(resolve);
  return {
    spellings: [
      licence.text("identifier"),
      globalIdOf(licence),
      licence.text("url"),
      // A text that is an id within the file is not a licence.
      ...[licence.text("name"), licence.text()].filter((text) => text?.startsWith("#") !== true),
    ],
    appliesTo: part?.text("name"),
    // The ids of parts in packages of this service.
    isPart: part !== undefined || /^#licence-\d+$/.test(idOf(licence) ?? ""),
    place: licence.place,
  };
}

function addContact(points: FileValue[], draft: Draft): void {
  const point = points.find((one) => one.text("email") !== undefined);
  const email = point?.text("email")?.replace(/^mailto:/i, "");
  if (point !== undefined && email !== undefined)
    draft.set("contact", { name: point.text("name"), email }, point.place);
}

function addIdentifier(identifier: FileValue, root: FileValue, draft: Draft): void {
  const text = identifier.text("value") ?? identifier.text() ?? globalIdOf(identifier) ?? identifier.text("url");
  // Some crates repeat the id of the root, which is only valid within the file.
  if (text === undefined || text === idOf(root) || /^(?:\.|#)/.test(text)) return;
  const scheme = schemeOf(identifier)?.replace(/^https?:\/\/(?:registry\.)?identifiers\.org\/(?:registry\/)?/i, "");
  const known = identifierIn(text) ?? identifierIn(`${scheme}:${text}`);
  const isOfScheme = scheme === undefined || /^(?:doi|url|urn)\b|identifier/i.test(scheme);
  const stated = { alternateIdentifier: text, alternateIdentifierType: scheme };
  const recognised = known && { alternateIdentifier: known.identifier, alternateIdentifierType: known.type };
  draft.add("alternateIdentifiers", isOfScheme && recognised ? recognised : stated, identifier.place);
}

/** Packages of this service state the kind of dataset as additional types. */
function addTypes(root: FileValue, draft: Draft): void {
  for (const entry of root.entries("additionalType")) {
    const text = entry.text();
    const general = text === undefined ? undefined : knownTerm(resourceTypes, text);
    if (general !== undefined) draft.set("resourceTypeGeneral", general, entry.place);
    if (general === undefined || draft.stated("resourceTypeGeneral") !== general)
      draft.set("resourceType", text, entry.place);
  }
}
