import { datasetUrn } from "../../../domain/uuid.ts";
import type { DataciteRecord } from "../../metadata/datacite-record.ts";
import { issuedOn, type VersionFacts, versionLabelOf } from "../../version-facts.ts";
import { accessOf, descriptionsOf, rightsOf, subjectsOf, titlesOf, typesOf } from "./content.ts";
import { alternateIdentifiersOf, datesOf, fundingOf, relatedItemsOf, relationsOf } from "./context.ts";
import { contributorsOf, creatorsOf, publisherOf } from "./names.ts";

/**
 * The dataset in DataCite 4.7, in the JSON form of DataCite's REST attributes: the version's DOI, or the
 * identifier `urn:uuid:` of type URN, which all versions share. The URL of the version is an alternate identifier, and properties 12 and 15 state its relations to other
 * versions. Texts are copied as submitted; only those whose language is stated have a language tag, because `language` is
 * that of the data. Postal data and a contact that is not public are not included. docs/metadata.md lists which field
 * becomes which property.
 */
export function dataciteJson(facts: VersionFacts): DataciteRecord {
  const { metadata } = facts;
  const items = relatedItemsOf(metadata);
  return {
    identifiers: [
      facts.doi === undefined
        ? { identifier: datasetUrn(facts.datasetId), identifierType: "URN" }
        : { identifier: facts.doi, identifierType: "DOI" },
    ],
    alternateIdentifiers: alternateIdentifiersOf(facts),
    types: typesOf(metadata),
    creators: creatorsOf(metadata),
    contributors: contributorsOf(metadata),
    titles: titlesOf(metadata),
    publisher: publisherOf(facts.publisher),
    publicationYear: issuedOn(facts).slice(0, 4),
    subjects: subjectsOf(metadata),
    dates: datesOf(facts),
    ...(metadata.language && { language: metadata.language }),
    version: versionLabelOf(facts),
    relatedIdentifiers: relationsOf(facts),
    ...(items.length > 0 && { relatedItems: items }),
    rightsList: [...rightsOf(metadata), ...accessOf(facts)],
    descriptions: descriptionsOf(metadata),
    ...(metadata.geoLocations && { geoLocations: metadata.geoLocations }),
    ...(metadata.fundingReferences && { fundingReferences: metadata.fundingReferences.map(fundingOf) }),
    sizes: [`${facts.objects} ${facts.objects === 1 ? "file" : "files"}`, `${facts.bytes} bytes`],
    formats: [...facts.mediaTypes],
    schemaVersion: "http://datacite.org/schema/kernel-4",
  };
}
