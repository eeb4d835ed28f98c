import type { RelationType, ResourceType } from "../../../../packages/rules/src/index.ts";
import type { NormalizedRelation } from "../../metadata/normalized.ts";
import { uriOfRelation } from "../relation.ts";
import { type Entity, nonEmptyProperties } from "./entity.ts";

/** Publications, for which RO-Crate 1.2 requires `citation`, with their types in schema.org. */
const PUBLICATIONS: Partial<Record<ResourceType, string>> = {
  Book: "Book",
  BookChapter: "Chapter",
  ConferencePaper: "ScholarlyArticle",
  ConferenceProceeding: "Book",
  DataPaper: "ScholarlyArticle",
  Dissertation: "Thesis",
  JournalArticle: "ScholarlyArticle",
  Preprint: "ScholarlyArticle",
  Report: "Report",
  Text: "CreativeWork",
};

/** Types of other resources; those not listed are a `CreativeWork`. `Dataset` is not used, because it means a folder in RO-Crate. */
const TYPES: Partial<Record<ResourceType, string>> = {
  ...PUBLICATIONS,
  ComputationalNotebook: "SoftwareSourceCode",
  Image: "ImageObject",
  Software: "SoftwareSourceCode",
};

const PROPERTIES: Partial<Record<RelationType, string>> = {
  IsDerivedFrom: "isBasedOn",
  IsPartOf: "isPartOf",
  Cites: "citation",
  References: "citation",
};

/**
 * Related resources by property: `isBasedOn`, `isPartOf`, `citation` for publications and other references that have a web
 * address, and `mentions`. The description states the relation of DataCite, which is more exact.
 */
export function relationProperties(relations: readonly NormalizedRelation[] = []): Record<string, unknown> {
  const properties: Record<string, Entity[]> = {};
  const resources = relations.map(resource);
  const relationsOf = Map.groupBy(relations.keys(), (index) => resources[index]?.["@id"]);
  for (const [index, relation] of relations.entries()) {
    const entity = resources[index];
    if (entity === undefined) continue;
    const types = relationsOf.get(entity["@id"])?.map((one) => relations[one]?.relationType);
    const description = `Relation of the dataset to this resource: ${types?.join(", ")}`;
    const property = propertyOf(relation);
    properties[property] ??= [];
    properties[property].push({ ...entity, description });
  }
  return nonEmptyProperties(properties);
}

function propertyOf(relation: NormalizedRelation): string {
  const { relationType, resourceTypeGeneral } = relation;
  const isPublication = resourceTypeGeneral !== undefined && PUBLICATIONS[resourceTypeGeneral] !== undefined;
  const property = PROPERTIES[relationType] ?? (isPublication ? "citation" : "mentions");
  const hasAddress = uriOfRelation(relation)?.startsWith("http") === true;
  return property === "citation" && !hasAddress ? "mentions" : property;
}

function resource(relation: NormalizedRelation, index: number): Entity {
  const { relatedIdentifier, relatedIdentifierType, resourceTypeGeneral: type, citation } = relation;
  const uri = uriOfRelation(relation);
  const identifier = uri === undefined ? `${relatedIdentifierType}:${relatedIdentifier}` : relatedIdentifier;
  return {
    "@id": uri ?? `#related-${index + 1}`,
    "@type": (type && TYPES[type]) ?? "CreativeWork",
    name: citation ?? relatedIdentifier,
    ...(relatedIdentifier !== undefined && { identifier }),
    ...(uri?.startsWith("http") === true && { url: uri }),
    ...(type !== undefined && { additionalType: type }),
  };
}
