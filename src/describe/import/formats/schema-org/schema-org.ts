import { knownTerm, resourceTypes } from "../../../../../packages/rules/src/index.ts";
import type { Draft } from "../../draft.ts";
import type { FileValue } from "../../reading/file-value.ts";
import { addDescriptions } from "../descriptions.ts";
import { addKeywords } from "../keywords.ts";
import { addLicences } from "../licence-choice.ts";
import { alternateIdentifier } from "../links.ts";
import { boxAt, pointAt } from "../places.ts";
import { withoutTags } from "../plain-text.ts";
import { addAgents } from "./agents.ts";
import { globalIdOf, schemeOf, typesOf } from "./entity.ts";
import { addFunding } from "./funding.ts";
import { addRelations } from "./relations.ts";

const EMBARGO = /^Under embargo until (\d{4}-\d{2}-\d{2})\b/;

/** Fills a draft from CodeMeta 1, 2 or 3. */
export function fromCodemeta(file: FileValue, draft: Draft): void {
  fromSchemaOrg(file, draft);
  const isSoftware = typesOf(file).some((type) => /Software(?:SourceCode|Application)$/.test(type));
  if (isSoftware) draft.set("resourceTypeGeneral", file.member("@type", "type"), "Software");
}

/** Fills a draft from an entity in the vocabulary of schema.org, or of CodeMeta 1. */
export function fromSchemaOrg(root: FileValue, draft: Draft): void {
  draft.setText("title", root.member("name", "title"));
  for (const other of root.entries("alternateName", "alternativeHeadline")) {
    const title = other.text();
    if (title !== undefined) draft.add("titles", other, { title, titleType: "AlternativeTitle" });
  }
  addTexts(root, draft);
  draft.setText("versionLabel", root.member("version", "softwareVersion"));
  addAgents(root, draft);
  addContact(root.linked("contactPoint"), draft);
  const [language] = root.linked("inLanguage");
  draft.set("language", language, language?.text("alternateName", "name") ?? language?.text());
  const terms = root.linked("about").flatMap((about) => addTerm(about, draft) ?? []);
  for (const keyword of root.linked("keywords")) {
    if (keyword.isObject && keyword.member("@value") === undefined) addTerm(keyword, draft);
  }
  addKeywords(root, "keywords", draft, terms);
  addLicences(draft, root.linked("license", "licenseId").map(statedLicence));
  addFunding(root, draft);
  addRelations(root, draft);
  addDates(root, draft);
  for (const place of [...root.linked("spatialCoverage"), ...root.linked("contentLocation")]) addPlace(place, draft);
  for (const identifier of root.linked("identifier")) addIdentifier(identifier, root, draft);
  addTypes(root, draft);
}

/** Adds the descriptions of the entity, and what packages of this service write as descriptions and conditions of access. */
function addTexts(root: FileValue, draft: Draft): void {
  const descriptions = [...root.entries("description"), ...root.entries("abstract")];
  const methods = root.entries("measurementTechnique");
  addDescriptions(
    [
      ...descriptions.map((entry) => ({ text: withoutTags(entry.text()), isMain: true, place: entry.place })),
      ...methods.map((one) => ({ text: withoutTags(one.text()), type: "Methods", isMain: false, place: one.place })),
    ],
    draft,
  );
  const access = root.member("conditionsOfAccess");
  draft.set("embargoDate", access, EMBARGO.exec(access?.text() ?? "")?.[1]);
}

/** Adds a term of a vocabulary, and returns its name. */
function addTerm(term: FileValue, draft: Draft): string | undefined {
  const subject = term.text("name");
  const [set] = term.linked("inDefinedTermSet");
  const scheme = set === undefined ? undefined : (set.id ?? set.text("name") ?? set.text());
  const address = (text: string | undefined) => (text !== undefined && /^https?:\/\//i.test(text) ? text : undefined);
  if (subject === undefined) return undefined;
  const name = set?.text("name") ?? (address(scheme) === undefined ? scheme : undefined);
  draft.add("subjectTerms", term, {
    subject,
    subjectScheme: name === address(scheme) ? undefined : name,
    schemeUri: address(scheme),
    valueUri: address(term.id) ?? address(term.text("url")),
    classificationCode: term.text("termCode"),
  });
  return subject;
}

function statedLicence(licence: FileValue) {
  const [part] = licence.linked("about");
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
    isPart: part !== undefined || /^#licence-\d+$/.test(licence.id ?? ""),
    place: licence.place,
  };
}

function addContact(points: FileValue[], draft: Draft): void {
  const point = points.find((one) => one.text("email") !== undefined);
  const email = point?.text("email")?.replace(/^mailto:/i, "");
  if (point !== undefined && email !== undefined) draft.set("contact", point, { name: point.text("name"), email });
}

function addIdentifier(identifier: FileValue, root: FileValue, draft: Draft): void {
  const text = identifier.text("value") ?? identifier.text() ?? globalIdOf(identifier) ?? identifier.text("url");
  // Some crates repeat the id of the root, which is only valid within the file.
  if (text === undefined || text === root.id || /^(?:\.|#)/.test(text)) return;
  const scheme = schemeOf(identifier)?.replace(/^https?:\/\/(?:registry\.)?identifiers\.org\/(?:registry\/)?/i, "");
  const recognised = alternateIdentifier(text) ?? alternateIdentifier(`${scheme}:${text}`);
  const isOfScheme = scheme === undefined || /^(?:doi|url|urn)\b|identifier/i.test(scheme);
  const stated = { alternateIdentifier: text, alternateIdentifierType: scheme };
  draft.add("alternateIdentifiers", identifier, isOfScheme && recognised ? recognised : stated);
}

/** Properties of dates, with the types of DataCite. */
const DATES = [
  ["dateCreated", "Created"],
  ["temporalCoverage", "Coverage"],
  ["copyrightYear", "Copyrighted"],
] as const;

/** Adds the dates of the content. */
function addDates(root: FileValue, draft: Draft): void {
  for (const [name, dateType] of DATES) {
    for (const entry of root.entries(name)) {
      const date = entry.text();
      if (date !== undefined) draft.add("dates", entry, { date, dateType });
    }
  }
}

/** Adds a place, with the first point and the first area that it states. */
function addPlace(place: FileValue, draft: Draft): void {
  const geoLocationPlace = place.text("name") ?? place.text();
  const stated = place.linked("geo");
  const shapes = stated.length > 0 ? stated : [place];
  const geoLocationPoint = shapes.map(pointOf).find(isStated);
  const geoLocationBox = shapes.map(boxOf).find(isStated);
  draft.add("geoLocations", place, { geoLocationPlace, geoLocationPoint, geoLocationBox });
  for (const shape of shapes) {
    if (shape.member("polygon", "line", "circle") === undefined) continue;
    draft.remark(shape, "Only points and boxes are supported. The shape is not used.");
  }
}

function isStated(shape: object): boolean {
  return Object.values(shape).some((degrees) => degrees !== undefined);
}

function pointOf(geo: FileValue) {
  const wkt = /\bPOINT ?\(([^()]{1,100})\)$/i.exec(geo.text("asWKT")?.slice(0, 300) ?? "")?.[1];
  // Well-known text writes the longitude first.
  const [longitude, latitude] = wkt?.trim().split(/\s+/) ?? [];
  return pointAt(latitude ?? geo.text("latitude"), longitude ?? geo.text("longitude"));
}

function boxOf(geo: FileValue) {
  const corners = geo.text("box")?.slice(0, 300);
  return boxAt(corners?.split(/[\s,]+/) ?? []);
}

/** Packages of this service state the kind of dataset as additional types. */
function addTypes(root: FileValue, draft: Draft): void {
  for (const entry of root.entries("additionalType")) {
    const text = entry.text();
    const general = text === undefined ? undefined : knownTerm(resourceTypes, text);
    if (general !== undefined) draft.set("resourceTypeGeneral", entry, general);
    if (general === undefined || draft.stated("resourceTypeGeneral") !== general)
      draft.set("resourceType", entry, text);
  }
}
