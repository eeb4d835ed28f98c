import { create } from "xmlbuilder2";
import type {
  DataciteFunding,
  DataciteName,
  DataciteRecord,
  RegisteredRecord,
} from "../../metadata/datacite-record.ts";
import type { VersionFacts } from "../../version-facts.ts";
import { validUri } from "../iri.ts";
import { dataciteJson } from "./datacite.ts";

/** Characters that XML 1.0, section 2.2, does not allow. `toWellFormed` replaces lone surrogates with U+FFFD. */
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const KERNEL = "http://datacite.org/schema/kernel-4";
const SCHEMA = "https://schema.datacite.org/meta/kernel-4.7/metadata.xsd";

const XML = "http://www.w3.org/XML/1998/namespace";

type Element = ReturnType<typeof create>;

/**
 * The record of `dataciteJson` as XML that is valid under DataCite's kernel-4.7 schema for any metadata. Characters
 * that XML 1.0 forbids become U+FFFD.
 */
export function dataciteXml(facts: VersionFacts): string {
  return recordXml(dataciteJson(facts));
}

/** A record as XML, see {@link dataciteXml}. */
export function recordXml(record: RegisteredRecord): string {
  const root = create({ version: "1.0", encoding: "UTF-8" }).ele(KERNEL, "resource");
  root.att("http://www.w3.org/2001/XMLSchema-instance", "xsi:schemaLocation", `${KERNEL} ${SCHEMA}`);

  for (const { identifier, identifierType } of record.identifiers)
    add(root, "identifier", identifier, { identifierType });
  const creators = root.ele("creators");
  for (const creator of record.creators) addName(creators.ele("creator"), "creatorName", creator);
  addTexts(root, "titles", "title", record.titles);
  const { name: publisher, ...publisherIdentifier } = record.publisher;
  add(root, "publisher", publisher, publisherIdentifier);
  add(root, "publicationYear", record.publicationYear);
  const { resourceType, resourceTypeGeneral } = record.types;
  add(root, "resourceType", resourceType, { resourceTypeGeneral });
  addTexts(root, "subjects", "subject", record.subjects);
  addSome(root, "contributors", record.contributors, (contributors, contributor) => {
    const element = contributors.ele("contributor", { contributorType: contributor.contributorType });
    addName(element, "contributorName", contributor);
  });
  addTexts(root, "dates", "date", record.dates);
  if (record.language !== undefined) add(root, "language", record.language);
  addTexts(root, "alternateIdentifiers", "alternateIdentifier", record.alternateIdentifiers);
  addTexts(root, "relatedIdentifiers", "relatedIdentifier", record.relatedIdentifiers);
  addSome(root, "sizes", record.sizes, (sizes, size) => add(sizes, "size", size));
  addSome(root, "formats", record.formats, (formats, format) => add(formats, "format", format));
  if (record.version !== undefined) add(root, "version", record.version);
  addTexts(root, "rightsList", "rights", record.rightsList);
  addTexts(root, "descriptions", "description", record.descriptions);
  addSome(root, "geoLocations", record.geoLocations, (list, place) => addPlace(list.ele("geoLocation"), place));
  addSome(root, "fundingReferences", record.fundingReferences, (list, funding) =>
    addFunding(list.ele("fundingReference"), funding),
  );
  addSome(root, "relatedItems", record.relatedItems, (list, { titles, ...rest }) => {
    const item = list.ele("relatedItem", rest);
    addTexts(item, "titles", "title", titles);
  });
  return root.end({ prettyPrint: true });
}

function addName(element: Element, nameElement: string, name: DataciteName): void {
  add(element, nameElement, name.name, { nameType: name.nameType });
  if (name.givenName !== undefined) add(element, "givenName", name.givenName);
  if (name.familyName !== undefined) add(element, "familyName", name.familyName);
  for (const { nameIdentifier, ...rest } of name.nameIdentifiers) add(element, "nameIdentifier", nameIdentifier, rest);
  for (const { name: affiliation, ...rest } of name.affiliation) add(element, "affiliation", affiliation, { ...rest });
}

function addPlace(element: Element, place: NonNullable<DataciteRecord["geoLocations"]>[number]): void {
  const { geoLocationPlace, geoLocationPoint, geoLocationBox } = place;
  if (geoLocationPlace !== undefined) add(element, "geoLocationPlace", geoLocationPlace);
  for (const [name, coordinates] of Object.entries({ geoLocationPoint, geoLocationBox })) {
    if (coordinates === undefined) continue;
    const shape = element.ele(name);
    for (const [axis, degrees] of Object.entries(coordinates)) add(shape, axis, String(degrees));
  }
}

function addFunding(element: Element, funding: DataciteFunding): void {
  const { funderName, funderIdentifier, funderIdentifierType, schemeUri, awardNumber, awardUri, awardTitle } = funding;
  add(element, "funderName", funderName);
  if (funderIdentifier !== undefined) {
    add(element, "funderIdentifier", funderIdentifier, { funderIdentifierType, schemeUri });
  }
  // The address of a grant is an attribute of its number, so a grant without a number has an empty one.
  if ((awardNumber ?? awardUri) !== undefined) add(element, "awardNumber", awardNumber ?? "", { awardUri });
  if (awardTitle !== undefined) add(element, "awardTitle", awardTitle);
}

/** Adds a list whose entries have their text in the member with the name of the element; other members are attributes. */
function addTexts<Name extends string>(
  parent: Element,
  wrapper: string,
  name: Name,
  entries: readonly Record<Name, string>[],
): void {
  addSome(parent, wrapper, entries, (list, { [name]: text, ...attributes }) => add(list, name, text, attributes));
}

function addSome<T>(
  parent: Element,
  wrapper: string,
  items: readonly T[] | undefined,
  addOne: (list: Element, item: T) => void,
): void {
  if (items === undefined || items.length === 0) return;
  const list = parent.ele(wrapper);
  for (const item of items) addOne(list, item);
}

/** Adds an element. Attributes have the names of the JSON form, in which `…Uri` and `lang` are spelt differently. */
function add(parent: Element, name: string, text: string, attributes: object = {}): void {
  const element = parent.ele(name);
  for (const [attribute, value] of Object.entries(attributes) as [string, string | undefined][]) {
    if (value === undefined) continue;
    if (attribute === "lang") element.att(XML, "xml:lang", value);
    else element.att(attribute.replace(/Uri$/, "URI"), xmlText(attributeText(attribute, value)));
  }
  element.txt(xmlText(text));
}

/** In DataCite's schema, `classificationCode` is a URI like the addresses, so other characters are percent-encoded. */
function attributeText(attribute: string, value: string): string {
  const isCode = attribute === "classificationCode";
  if (attribute.endsWith("Uri") || (isCode && /^https?:\/\//i.test(value))) return validUri(value);
  if (!isCode) return value;
  return value.toWellFormed().split("/").map(encodeURIComponent).join("/");
}

/**
 * Text for the XML writer, without characters that XML cannot represent. The writer does not escape an ampersand that looks
 * like the start of an entity, such as `&copy;`, so that every ampersand is already escaped here.
 */
export function xmlText(text: string): string {
  return text.toWellFormed().replace(FORBIDDEN, "\ufffd").replaceAll("&", "&amp;");
}
