import type { FunderIdentifierType } from "../../../../packages/rules/src/index.ts";
import { CONCEPT } from "../../../publication/rules/doi.ts";
import type { DataciteFunding, DataciteRecord, DataciteRelation } from "../../metadata/datacite-record.ts";
import type { NormalizedFunding, NormalizedMetadata } from "../../metadata/normalized.ts";
import { availableOn, datasetUrn, neighbourVersions, type PackageFacts, versionUrl } from "../../package-facts.ts";

/** Addresses of identifier schemes. `Other` has none. */
const FUNDER_SCHEMES: Partial<Record<FunderIdentifierType, string>> = {
  ROR: "https://ror.org",
  "Crossref Funder ID": "https://doi.org/10.13039/",
  ISNI: "https://isni.org",
  GRID: "https://www.grid.ac",
};

/** The dates of archiving and publication, then those of the data. */
export function datesOf(facts: PackageFacts): DataciteRecord["dates"] {
  const available = availableOn(facts);
  return [
    { date: facts.publishedAt.slice(0, 10), dateType: "Submitted" },
    ...(facts.publication === undefined ? [] : [{ date: facts.publication.issued, dateType: "Issued" as const }]),
    ...(available === undefined ? [] : [{ date: available, dateType: "Available" as const }]),
    ...(facts.metadata.dates ?? []),
  ];
}

/** The address of the version, then identifiers elsewhere. */
export function alternateIdentifiersOf({
  datasetId,
  doi,
  url,
  version,
  metadata,
}: PackageFacts): DataciteRecord["alternateIdentifiers"] {
  const urn = doi === undefined ? [] : [{ alternateIdentifier: datasetUrn(datasetId), alternateIdentifierType: "URN" }];
  const own =
    url === undefined ? [] : [{ alternateIdentifier: versionUrl(url, version), alternateIdentifierType: "URL" }];
  return [...urn, ...own, ...(metadata.alternateIdentifiers ?? [])];
}

/** Relations to the dataset as a whole and to the versions before and after, then to resources that have an identifier. */
export function relationsOf(facts: PackageFacts): DataciteRelation[] {
  return [...versionRelations(facts), ...resourceRelationsOf(facts.metadata)];
}

/** Relations to resources that have an identifier. */
export function resourceRelationsOf({ relatedIdentifiers = [] }: NormalizedMetadata): DataciteRelation[] {
  return relatedIdentifiers.flatMap(identified);
}

/** Related resources that have only a citation. It becomes the title, because it cannot be divided reliably. */
export function relatedItemsOf({
  relatedIdentifiers = [],
}: NormalizedMetadata): NonNullable<DataciteRecord["relatedItems"]> {
  return relatedIdentifiers.flatMap(({ relatedIdentifier, citation, relationType, resourceTypeGeneral = "Other" }) =>
    relatedIdentifier !== undefined || citation === undefined
      ? []
      : [{ titles: [{ title: citation }], relatedItemType: resourceTypeGeneral, relationType }],
  );
}

export function fundingOf(funding: NormalizedFunding): DataciteFunding {
  const { funderName, funderIdentifier, funderIdentifierType: type, ...award } = funding;
  if (funderIdentifier === undefined) return { funderName, ...award };
  const schemeUri = type && FUNDER_SCHEMES[type];
  return {
    funderName,
    funderIdentifier,
    funderIdentifierType: type ?? "Other",
    ...(schemeUri !== undefined && { schemeUri }),
    ...award,
  };
}

function versionRelations({ url, version, versions, dois }: PackageFacts): DataciteRelation[] {
  if (url === undefined) return [];
  const { previous, next } = neighbourVersions({ version, versions });
  const concept = dois?.get(CONCEPT);
  const relation = (relationType: DataciteRelation["relationType"], relatedIdentifier: string): DataciteRelation => ({
    relatedIdentifier,
    relatedIdentifierType: "URL",
    relationType,
    resourceTypeGeneral: "Dataset",
  });
  const other = (relationType: DataciteRelation["relationType"], number: number): DataciteRelation => {
    const doi = dois?.get(number);
    if (doi === undefined) return relation(relationType, versionUrl(url, number));
    return { ...relation(relationType, doi), relatedIdentifierType: "DOI" };
  };
  return [
    concept === undefined
      ? relation("IsVersionOf", url)
      : { ...relation("IsVersionOf", concept), relatedIdentifierType: "DOI" },
    ...(previous === undefined ? [] : [other("IsNewVersionOf", previous)]),
    ...(next === undefined ? [] : [other("IsPreviousVersionOf", next)]),
  ];
}

function identified(relation: NonNullable<NormalizedMetadata["relatedIdentifiers"]>[number]): DataciteRelation[] {
  const { relatedIdentifier, relatedIdentifierType, relationType, resourceTypeGeneral } = relation;
  if (relatedIdentifier === undefined || relatedIdentifierType === undefined) return [];
  return [
    {
      relatedIdentifier,
      relatedIdentifierType,
      relationType,
      ...(resourceTypeGeneral !== undefined && { resourceTypeGeneral }),
    },
  ];
}
