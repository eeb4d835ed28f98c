import { create } from "xmlbuilder2";
import { unmarked } from "../markup.ts";
import type { NormalizedDate, NormalizedPlace } from "../metadata/normalized.ts";
import { partLicenceText, placelessTexts } from "../version-facts.ts";
import { ACCESS_TERMS } from "./access-terms.ts";
import { xmlText } from "./datacite/datacite-xml.ts";
import { type ExportInput, summaryOf } from "./export-input.ts";
import { fundingText } from "./notes.ts";
import { relationText } from "./relation.ts";

const OAI_DC = "http://www.openarchives.org/OAI/2.0/oai_dc/";
const DC = "http://purl.org/dc/elements/1.1/";
const SCHEMA = "http://www.openarchives.org/OAI/2.0/oai_dc.xsd";
const XML = "http://www.w3.org/XML/1998/namespace";

/** A text, with its language if that is stated. */
export interface DublinCoreValue {
  text: string;
  language?: string;
}
type Value = string | DublinCoreValue | undefined;

/** The dataset in simple Dublin Core, in the XML of OAI-PMH (`oai_dc`). */
export function dublinCore(described: ExportInput): string {
  const root = create({ version: "1.0", encoding: "UTF-8" }).ele(OAI_DC, "oai_dc:dc");
  root.att("http://www.w3.org/2000/xmlns/", "xmlns:dc", DC);
  root.att("http://www.w3.org/2001/XMLSchema-instance", "xsi:schemaLocation", `${OAI_DC} ${SCHEMA}`);
  for (const [name, { text, language }] of dublinCoreElements(described)) {
    const element = root.ele(DC, `dc:${name}`);
    if (language !== undefined) element.att(XML, "xml:lang", language);
    element.txt(xmlText(text));
  }
  return root.end({ prettyPrint: true });
}

/** The elements of simple Dublin Core that describe the dataset, by name. */
export function dublinCoreElements(described: ExportInput): [name: string, DublinCoreValue][] {
  return Object.entries(elementsOf(described)).flatMap(([name, values]) =>
    values
      .filter((value) => value !== undefined)
      .map((value): [string, DublinCoreValue] => [name, typeof value === "string" ? { text: value } : value]),
  );
}

function elementsOf(described: ExportInput): Record<string, Value[]> {
  const summary = summaryOf(described);
  const { licence, contact } = summary;
  const { metadata, access } = described.facts;
  const { titles = [], descriptions = [], subjectTerms = [], dates = [], geoLocations = [] } = metadata;
  const { licenses = [], alternateIdentifiers = [], relatedIdentifiers = [] } = metadata;
  return {
    title: [summary.title, ...titles.map(({ title, ...rest }) => ({ ...rest, text: title }))],
    creator: summary.creators.map(({ name }) => name),
    subject: [...metadata.subjects, ...subjectTerms.map(({ subject, ...rest }) => ({ ...rest, text: subject }))],
    description: [
      summary.description,
      ...descriptions.map(({ description, ...rest }) => ({ ...rest, text: unmarked(description) })),
      ...(metadata.fundingReferences ?? []).map(fundingText),
      ...placelessTexts(metadata),
    ],
    publisher: [summary.publisher.name],
    contributor: [
      ...summary.contributors.map(({ name }) => name),
      contact === undefined ? undefined : (contact.name ?? contact.email),
    ],
    date: [
      summary.issued,
      summary.embargo && `info:eu-repo/date/embargoEnd/${summary.embargo}`,
      ...dates.filter((date) => !isCovered(date)).map(({ date }) => date),
    ],
    type: [metadata.resourceTypeGeneral ?? "Dataset", metadata.resourceType],
    identifier: [
      ...new Set([summary.identifier, summary.url]),
      ...alternateIdentifiers.map(({ alternateIdentifier }) => alternateIdentifier),
    ],
    relation: relatedIdentifiers.map(relationText),
    coverage: [...geoLocations.flatMap(placeTexts), ...dates.filter(isCovered).map(({ date }) => date)],
    language: [summary.language],
    // The name of a licence that was stated as an address is the address.
    rights: [
      ...(access === undefined ? [] : [ACCESS_TERMS[access].openaire]),
      ...new Set([licence.name, licence.url, ...licenses.flatMap((part) => [partLicenceText(part), part.license.url])]),
    ],
  };
}

function isCovered({ dateType }: NormalizedDate): boolean {
  return dateType === "Collected" || dateType === "Coverage";
}

/** A name as such, and coordinates in the encodings DCMI Point and DCMI Box. */
function placeTexts({ geoLocationPlace, geoLocationPoint: point, geoLocationBox: box }: NormalizedPlace): Value[] {
  return [
    geoLocationPlace,
    point && `east=${point.pointLongitude}; north=${point.pointLatitude}`,
    box &&
      `northlimit=${box.northBoundLatitude}; eastlimit=${box.eastBoundLongitude}; southlimit=${box.southBoundLatitude}; westlimit=${box.westBoundLongitude}`,
  ];
}
