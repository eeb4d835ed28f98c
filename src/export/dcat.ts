import { versionUrl } from "../archive/metadata/facts.ts";
import { type Agent, type Described, summaryOf } from "./described.ts";

const CONTEXT = {
  dcat: "http://www.w3.org/ns/dcat#",
  dcterms: "http://purl.org/dc/terms/",
  foaf: "http://xmlns.com/foaf/0.1/",
  vcard: "http://www.w3.org/2006/vcard/ns#",
  xsd: "http://www.w3.org/2001/XMLSchema#",
};
const MEDIA_TYPES = "https://www.iana.org/assignments/media-types/";

/**
 * A version of the dataset in the Data Catalog Vocabulary (DCAT 3), as JSON-LD. Relations between versions follow its
 * section 11. Texts have no language tag, because the metadata state only the language of the data.
 */
export function dcat(described: Described): object {
  const summary = summaryOf(described);
  const { licence, language, embargo, publisher } = summary;
  const { facts } = described;
  const rights = licence.url === undefined ? undefined : { "@id": licence.url };
  return {
    "@context": CONTEXT,
    "@id": summary.url,
    "@type": "dcat:Dataset",
    "dcterms:identifier": summary.identifier,
    "dcterms:title": summary.title,
    "dcterms:description": summary.description,
    "dcterms:creator": summary.creators.map(agent),
    ...(summary.contributors.length > 0 && { "dcterms:contributor": summary.contributors.map(agent) }),
    "dcterms:publisher": {
      ...(publisher.ror !== undefined && { "@id": publisher.ror }),
      "@type": "foaf:Organization",
      "foaf:name": publisher.name,
      ...(publisher.url !== undefined && { "foaf:homepage": { "@id": publisher.url } }),
    },
    ...(publisher.email !== undefined && {
      "dcat:contactPoint": {
        "@type": "vcard:Organization",
        "vcard:fn": publisher.name,
        "vcard:hasEmail": { "@id": `mailto:${publisher.email}` },
      },
    }),
    "dcterms:issued": { "@type": "xsd:date", "@value": summary.available },
    "dcat:version": summary.version,
    "dcat:isVersionOf": { "@id": facts.url },
    ...(facts.version > 1 && { "dcat:previousVersion": { "@id": versionUrl(facts.url, facts.version - 1) } }),
    ...(facts.version < facts.latest && {
      "dcterms:isReplacedBy": { "@id": versionUrl(facts.url, facts.version + 1) },
    }),
    "dcat:landingPage": { "@id": summary.url },
    ...(summary.subjects.length > 0 && { "dcat:keyword": summary.subjects }),
    ...(language !== undefined && { "dcterms:language": language }),
    ...(rights === undefined ? { "dcterms:rights": licence.name } : { "dcterms:license": rights }),
    ...(embargo !== undefined && { "dcterms:accessRights": `Under embargo until ${embargo}` }),
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
}

function agent({ kind, name, orcid, ror }: Agent): object {
  const id = kind === "person" ? orcid : ror;
  return {
    ...(id !== undefined && { "@id": id }),
    "@type": kind === "person" ? "foaf:Person" : "foaf:Organization",
    "foaf:name": name,
  };
}
