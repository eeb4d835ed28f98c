import { create } from "xmlbuilder2";
import { type DataciteName, dataciteJson } from "./datacite.ts";
import type { PackageFacts } from "./facts.ts";

/** Characters that XML 1.0, section 2.2, does not allow. `toWellFormed` replaces lone surrogates with U+FFFD. */
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const KERNEL = "http://datacite.org/schema/kernel-4";
const SCHEMA = "https://schema.datacite.org/meta/kernel-4.7/metadata.xsd";

type Attributes = Record<string, string | undefined>;
type Element = ReturnType<typeof create>;

/**
 * The record of `dataciteJson` as XML that is valid under DataCite's kernel-4.7 schema for any metadata. Characters
 * that XML 1.0 forbids become U+FFFD.
 */
export function dataciteXml(facts: PackageFacts): string {
  const record = dataciteJson(facts);
  const root = create({ version: "1.0", encoding: "UTF-8" }).ele(KERNEL, "resource");
  root.att("http://www.w3.org/2001/XMLSchema-instance", "xsi:schemaLocation", `${KERNEL} ${SCHEMA}`);

  for (const { identifier, identifierType } of record.identifiers)
    add(root, "identifier", identifier, { identifierType });
  const creators = root.ele("creators");
  for (const creator of record.creators) addName(creators.ele("creator"), "creatorName", creator);
  const titles = root.ele("titles");
  for (const { title } of record.titles) add(titles, "title", title);
  const { name: publisher, schemeUri: publisherScheme, ...publisherIdentifier } = record.publisher;
  add(root, "publisher", publisher, { ...publisherIdentifier, schemeURI: publisherScheme });
  add(root, "publicationYear", record.publicationYear);
  const { resourceType, resourceTypeGeneral } = record.types;
  add(root, "resourceType", resourceType, { resourceTypeGeneral });
  addSome(root, "subjects", record.subjects, (subjects, { subject }) => add(subjects, "subject", subject));
  addSome(root, "contributors", record.contributors, (contributors, contributor) => {
    const element = contributors.ele("contributor", { contributorType: contributor.contributorType });
    addName(element, "contributorName", contributor);
  });
  addSome(root, "dates", record.dates, (dates, { date, dateType }) => add(dates, "date", date, { dateType }));
  if (record.language !== undefined) add(root, "language", record.language);
  addSome(root, "alternateIdentifiers", record.alternateIdentifiers, (list, { alternateIdentifier, ...rest }) =>
    add(list, "alternateIdentifier", alternateIdentifier, rest),
  );
  addSome(root, "relatedIdentifiers", record.relatedIdentifiers, (list, { relatedIdentifier, ...rest }) =>
    add(list, "relatedIdentifier", relatedIdentifier, rest),
  );
  addSome(root, "sizes", record.sizes, (sizes, size) => add(sizes, "size", size));
  addSome(root, "formats", record.formats, (formats, format) => add(formats, "format", format));
  add(root, "version", record.version);
  addSome(root, "rightsList", record.rightsList, (list, { rights, rightsUri, schemeUri, ...rest }) =>
    add(list, "rights", rights, { rightsURI: rightsUri, ...rest, schemeURI: schemeUri }),
  );
  addSome(root, "descriptions", record.descriptions, (list, { description, descriptionType }) =>
    add(list, "description", description, { descriptionType }),
  );
  return root.end({ prettyPrint: true });
}

function addName(element: Element, nameElement: string, name: DataciteName): void {
  add(element, nameElement, name.name, { nameType: name.nameType });
  if (name.givenName !== undefined) add(element, "givenName", name.givenName);
  if (name.familyName !== undefined) add(element, "familyName", name.familyName);
  for (const { nameIdentifier, schemeUri, ...rest } of name.nameIdentifiers) {
    add(element, "nameIdentifier", nameIdentifier, { ...rest, schemeURI: schemeUri });
  }
  for (const { name: affiliation, schemeUri, ...rest } of name.affiliation) {
    add(element, "affiliation", affiliation, { ...rest, schemeURI: schemeUri });
  }
}

function addSome<T>(parent: Element, wrapper: string, items: T[], addOne: (list: Element, item: T) => void): void {
  if (items.length === 0) return;
  const list = parent.ele(wrapper);
  for (const item of items) addOne(list, item);
}

function add(parent: Element, name: string, text: string, attributes: Attributes = {}): void {
  const element = parent.ele(name);
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value !== undefined) element.att(attribute, xmlText(value));
  }
  element.txt(xmlText(text));
}

/** Replaces characters that XML cannot represent. */
export function xmlText(text: string): string {
  return text.toWellFormed().replace(FORBIDDEN, "\ufffd");
}
