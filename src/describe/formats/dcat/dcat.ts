import { neighbourVersions, partLicenceText, versionUrl } from "../../version-facts.ts";
import { type Agent, type ExportInput, type Summary, summaryOf } from "../export-input.ts";
import { mailtoUri, validUri } from "../iri.ts";
import { type Entity, nonEmptyProperties } from "../schema-org/entity.ts";
import { additionalProperties, measuredVariables } from "../schema-org/own-fields.ts";
import { withOwnIds } from "../schema-org/own-ids.ts";
import { fundingProperties } from "../schema-org/properties.ts";
import { dateProperties, location } from "./coverage.ts";
import { relationProperties, resourceType } from "./relations.ts";
import {
  accessRights,
  descriptionProperties,
  languageResource,
  prefixed,
  rightsStatement,
  text,
  themes,
} from "./texts.ts";

const CONTEXT = {
  dcat: "http://www.w3.org/ns/dcat#",
  dcterms: "http://purl.org/dc/terms/",
  foaf: "http://xmlns.com/foaf/0.1/",
  prov: "http://www.w3.org/ns/prov#",
  vcard: "http://www.w3.org/2006/vcard/ns#",
  xsd: "http://www.w3.org/2001/XMLSchema#",
};
/** Vocabularies of optional members. */
const OPTIONAL_CONTEXT = {
  adms: "http://www.w3.org/ns/adms#",
  geosparql: "http://www.opengis.net/ont/geosparql#",
  rdfs: "http://www.w3.org/2000/01/rdf-schema#",
  schema: "https://schema.org/",
  skos: "http://www.w3.org/2004/02/skos/core#",
};
const MEDIA_TYPES = "https://www.iana.org/assignments/media-types/";

/**
 * A version of the dataset in the Data Catalog Vocabulary (DCAT 3), as JSON-LD. Relations between versions follow its
 * section 11. Only texts whose language is stated have a language tag, because `language` is that of the data. Where the version
 * comes from is also stated in PROV, because readers of provenance look for its terms.
 */
export function dcat(described: ExportInput): object {
  const summary = summaryOf(described);
  const { licence, language, embargo, available } = summary;
  const { facts } = described;
  const { metadata } = facts;
  const { previous } = neighbourVersions(facts);
  const parts = (metadata.licenses ?? []).map(partLicenceText);
  const names = new Map<string, unknown>();
  const { publisher, creators, contributors } = withOwnIds(
    {
      publisher: publisherOf(summary),
      creators: summary.creators.map(agent),
      contributors: summary.contributors.map(agent),
    },
    names,
  );
  const rights = licence.url === undefined ? undefined : { "@id": validUri(licence.url) };
  const dataset = {
    "@id": summary.url,
    "@type": "dcat:Dataset",
    "dcterms:identifier": summary.identifier,
    "dcterms:title": summary.title,
    ...nonEmptyProperties({
      "dcterms:alternative": (metadata.titles ?? []).map(({ title, language }) => text(title, language)),
      ...descriptionProperties(summary.description, metadata),
    }),
    "dcterms:creator": creators.map(inFoaf),
    ...(contributors.length > 0 && { "dcterms:contributor": contributors.map(inFoaf) }),
    "dcterms:publisher": inFoaf(publisher),
    ...contactOf(summary),
    "dcterms:issued": { "@type": "xsd:date", "@value": summary.issued },
    ...(available !== undefined && { "dcterms:available": { "@type": "xsd:date", "@value": available } }),
    "prov:generatedAtTime": { "@type": "xsd:dateTime", "@value": facts.archivedAt },
    "dcat:version": summary.version,
    "dcat:isVersionOf": { "@id": facts.url },
    ...(previous !== undefined && {
      "dcat:previousVersion": { "@id": versionUrl(facts.url, previous) },
      "prov:wasRevisionOf": { "@id": versionUrl(facts.url, previous) },
    }),
    ...nonEmptyProperties(relationProperties(facts)),
    "dcat:landingPage": { "@id": summary.url },
    ...(summary.keywords.length > 0 && { "dcat:keyword": summary.keywords }),
    ...(language !== undefined && { "dcterms:language": languageResource(language) }),
    ...(rights !== undefined && { "dcterms:license": rights }),
    // A dataset has one licence in DCAT, so those of parts are statements of rights.
    ...nonEmptyProperties({
      "dcterms:rights": (rights === undefined ? [licence.name, ...parts] : parts).map(rightsStatement),
    }),
    ...nonEmptyProperties({ "dcterms:accessRights": accessRights(facts.access, embargo) }),
    ...nonEmptyProperties({
      "dcat:theme": themes(metadata.subjectTerms),
      "dcterms:type": [metadata.resourceTypeGeneral, metadata.resourceType].flatMap((type) =>
        type === undefined ? [] : [resourceType(type)],
      ),
      ...dateProperties(metadata.dates),
      "dcterms:spatial": (metadata.geoLocations ?? []).map(location),
      "adms:identifier": (metadata.alternateIdentifiers ?? []).map(
        ({ alternateIdentifier, alternateIdentifierType }) => ({
          "@type": "adms:Identifier",
          "skos:notation": alternateIdentifier,
          "dcterms:type": resourceType(alternateIdentifierType),
        }),
      ),
    }),
    ...inSchemaOrg(withOwnIds(fundingProperties(metadata.fundingReferences), names)),
    ...inSchemaOrg({ ...additionalProperties(metadata), ...measuredVariables(metadata) }),
    "dcat:distribution": described.downloads.map(({ url, name, mediaType, profile }) => ({
      "@type": "dcat:Distribution",
      "dcterms:title": name,
      "dcat:accessURL": { "@id": url },
      "dcat:downloadURL": { "@id": url },
      "dcat:mediaType": { "@id": MEDIA_TYPES + mediaType },
      "dcterms:conformsTo": { "@id": profile },
      ...(rights !== undefined && { "dcterms:license": rights }),
    })),
  };
  return { "@context": contextOf(dataset), ...dataset };
}

/** The vocabularies that the dataset uses. Those of optional members are named only if they are needed. */
function contextOf(dataset: object): Record<string, string> {
  const written = JSON.stringify(dataset);
  const needed = Object.entries(OPTIONAL_CONTEXT).filter(([prefix]) => written.includes(`"${prefix}:`));
  return { ...CONTEXT, ...Object.fromEntries(needed) };
}

/** Properties of schema.org for what DCAT has none: funding, and fields of the operator. */
function inSchemaOrg(properties: Record<string, unknown>): object {
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [`schema:${name}`, prefixed(value)]));
}

function publisherOf({ publisher: { name, url, ror } }: Summary): Partial<Entity> {
  return { ...(ror !== undefined && { "@id": ror }), "@type": "Organization", name, url };
}

function agent({ kind, name, orcid, ror }: Agent): Partial<Entity> {
  const id = kind === "person" ? orcid : ror;
  return { ...(id !== undefined && { "@id": id }), "@type": kind === "person" ? "Person" : "Organization", name };
}

/** An agent in the vocabulary of FOAF, which states an id that is also that of an earlier agent with another name as a text. */
function inFoaf({ "@id": id, "@type": type, name, url, identifier }: Partial<Entity>): object {
  return {
    ...(id?.startsWith("#") === false && { "@id": id }),
    "@type": `foaf:${type}`,
    "foaf:name": name,
    ...(url !== undefined && { "foaf:homepage": { "@id": url } }),
    ...(identifier !== undefined && { "dcterms:identifier": identifier }),
  };
}

/** The public contact of the dataset, or else that of the publisher. */
function contactOf({ contact, publisher }: Summary): object {
  const { name, email } = contact ?? publisher;
  if (email === undefined) return {};
  return {
    "dcat:contactPoint": {
      "@type": contact === undefined ? "vcard:Organization" : "vcard:Kind",
      "vcard:fn": name ?? email,
      "vcard:hasEmail": { "@id": mailtoUri(email) },
    },
  };
}
