import type { RelationType } from "../../../../packages/rules/src/index.ts";
import type { NormalizedRelation } from "../../metadata/normalized.ts";
import { neighbourVersions, type VersionFacts, versionUrl } from "../../version-facts.ts";
import { uriOfRelation } from "../relation.ts";

/** Relations that Dublin Core has, too. All others are `dcterms:relation`. */
const PROPERTIES: Partial<Record<RelationType, string>> = {
  Cites: "dcterms:references",
  HasPart: "dcterms:hasPart",
  HasVersion: "dcterms:hasVersion",
  IsCitedBy: "dcterms:isReferencedBy",
  IsDerivedFrom: "dcterms:source",
  IsDescribedBy: "dcterms:isReferencedBy",
  IsObsoletedBy: "dcterms:isReplacedBy",
  IsPartOf: "dcterms:isPartOf",
  IsReferencedBy: "dcterms:isReferencedBy",
  IsRequiredBy: "dcterms:isRequiredBy",
  IsVersionOf: "dcterms:isVersionOf",
  Obsoletes: "dcterms:replaces",
  References: "dcterms:references",
  Requires: "dcterms:requires",
};

/** The next named version of the dataset, and related resources by property. */
export function relationProperties(facts: VersionFacts): Record<string, unknown[]> {
  const { url, metadata } = facts;
  const { next } = neighbourVersions(facts);
  const properties: Record<string, unknown[]> = {
    "dcterms:isReplacedBy": url === undefined || next === undefined ? [] : [{ "@id": versionUrl(url, next) }],
  };
  for (const relation of metadata.relatedIdentifiers ?? []) {
    const property = PROPERTIES[relation.relationType] ?? "dcterms:relation";
    properties[property] ??= [];
    properties[property].push(resource(relation));
  }
  return properties;
}

function resource(relation: NormalizedRelation): object {
  const { relatedIdentifier, resourceTypeGeneral, citation } = relation;
  const uri = uriOfRelation(relation);
  return {
    ...(uri !== undefined && { "@id": uri }),
    ...(relatedIdentifier !== undefined && uri !== relatedIdentifier && { "dcterms:identifier": relatedIdentifier }),
    ...(resourceTypeGeneral !== undefined && { "dcterms:type": resourceType(resourceTypeGeneral) }),
    ...(citation !== undefined && { "dcterms:bibliographicCitation": citation }),
  };
}

/** The kind of a resource. DataCite's terms have no address, so they are concepts without one. */
export function resourceType(type: string): object {
  return { "@type": "skos:Concept", "skos:prefLabel": type };
}
