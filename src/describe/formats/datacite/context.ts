import type { FunderIdentifierType, RelationType } from "../../../../packages/rules/src/index.ts";
import { datasetUrn } from "../../../domain/uuid.ts";
import { CONCEPT } from "../../../publication/rules/doi.ts";
import type { DataciteFunding, DataciteRecord, DataciteRelation } from "../../metadata/datacite-record.ts";
import type { NormalizedFunding, NormalizedMetadata } from "../../metadata/normalized.ts";
import { availableOn, neighbourVersions, type VersionFacts, versionUrl } from "../../version-facts.ts";

/** Addresses of identifier schemes. `Other` has none. */
const FUNDER_SCHEMES: Partial<Record<FunderIdentifierType, string>> = {
  ROR: "https://ror.org",
  "Crossref Funder ID": "https://doi.org/10.13039/",
  ISNI: "https://isni.org",
  GRID: "https://www.grid.ac",
};

/** The dates of archiving and publication, then those of the data. */
export function datesOf(facts: VersionFacts): DataciteRecord["dates"] {
  const available = availableOn(facts);
  return [
    { date: facts.archivedAt.slice(0, 10), dateType: "Submitted" },
    ...(facts.publication === undefined ? [] : [{ date: facts.publication.issued, dateType: "Issued" as const }]),
    ...(available === undefined ? [] : [{ date: available, dateType: "Available" as const }]),
    ...(facts.metadata.dates ?? []),
  ];
}

/** The address of the version, then identifiers elsewhere. */
export function alternateIdentifiersOf(facts: VersionFacts): DataciteRecord["alternateIdentifiers"] {
  const { datasetId, doi, url, version, metadata } = facts;
  return [
    ...(doi === undefined ? [] : [urnOf(datasetId)]),
    ...(url === undefined ? [] : [{ alternateIdentifier: versionUrl(url, version), alternateIdentifierType: "URL" }]),
    ...(metadata.alternateIdentifiers ?? []),
  ];
}

/** The identifier of the dataset as one beside its DOI. */
export function urnOf(datasetId: string) {
  return { alternateIdentifier: datasetUrn(datasetId), alternateIdentifierType: "URN" };
}

/** Relations to the dataset as a whole and to the versions before and after, then to resources that have an identifier. */
export function relationsOf(facts: VersionFacts): DataciteRelation[] {
  return [...versionRelations(facts), ...resourceRelationsOf(facts.metadata)];
}

/** Relations to resources that have an identifier. */
export function resourceRelationsOf({ relatedIdentifiers = [] }: NormalizedMetadata): DataciteRelation[] {
  return relatedIdentifiers.flatMap(({ relatedIdentifier, relatedIdentifierType, relationType, ...rest }) => {
    if (relatedIdentifier === undefined || relatedIdentifierType === undefined) return [];
    const type = rest.resourceTypeGeneral === undefined ? {} : { resourceTypeGeneral: rest.resourceTypeGeneral };
    return [{ relatedIdentifier, relatedIdentifierType, relationType, ...type }];
  });
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

function versionRelations({ url, version, versions, dois }: VersionFacts): DataciteRelation[] {
  if (url === undefined) return [];
  const { previous, next } = neighbourVersions({ version, versions });
  const other = (relationType: RelationType, number: number) =>
    datasetRelation(relationType, dois?.get(number), versionUrl(url, number));
  return [
    datasetRelation("IsVersionOf", dois?.get(CONCEPT), url),
    ...(previous === undefined ? [] : [other("IsNewVersionOf", previous)]),
    ...(next === undefined ? [] : [other("IsPreviousVersionOf", next)]),
  ];
}

/** A relation to a dataset or a version of it, by its DOI if it has one. */
export function datasetRelation(relationType: RelationType, doi: string | undefined, url = ""): DataciteRelation {
  return {
    relatedIdentifier: doi ?? url,
    relatedIdentifierType: doi === undefined ? "URL" : "DOI",
    relationType,
    resourceTypeGeneral: "Dataset",
  };
}
