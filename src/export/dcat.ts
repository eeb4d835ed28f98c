import { type Agent, type Described, summaryOf } from "./described.ts";

const CONTEXT = {
  dcat: "http://www.w3.org/ns/dcat#",
  dcterms: "http://purl.org/dc/terms/",
  foaf: "http://xmlns.com/foaf/0.1/",
  xsd: "http://www.w3.org/2001/XMLSchema#",
};
const MEDIA_TYPES = "https://www.iana.org/assignments/media-types/";

/** The dataset in the Data Catalog Vocabulary (DCAT 3), as JSON-LD. */
export function dcat(described: Described): object {
  const summary = summaryOf(described);
  const { licence, language, embargo } = summary;
  const text = (value: string) => (language === undefined ? value : { "@value": value, "@language": language });
  const rights = licence.url === undefined ? undefined : { "@id": licence.url };
  return {
    "@context": CONTEXT,
    "@id": described.url,
    "@type": "dcat:Dataset",
    "dcterms:identifier": summary.identifier,
    "dcterms:title": text(summary.title),
    "dcterms:description": text(summary.description),
    "dcterms:creator": summary.creators.map(agent),
    ...(summary.contributors.length > 0 && { "dcterms:contributor": summary.contributors.map(agent) }),
    "dcterms:publisher": { "@type": "foaf:Organization", "foaf:name": summary.publisher },
    "dcterms:issued": { "@type": "xsd:date", "@value": summary.available },
    "dcat:version": summary.version,
    "dcat:landingPage": { "@id": described.url },
    ...(summary.subjects.length > 0 && { "dcat:keyword": summary.subjects.map(text) }),
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

function agent({ kind, name, orcid, affiliation }: Agent): object {
  const id = kind === "person" ? orcid : affiliation?.ror;
  return {
    ...(id !== undefined && { "@id": id }),
    "@type": kind === "person" ? "foaf:Person" : "foaf:Organization",
    "foaf:name": name,
  };
}
