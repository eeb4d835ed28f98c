import { orThrow, type ProblemError } from "@accession/client";
import { queryOptions } from "@tanstack/react-query";
import { fetchAsCaller } from "./client.ts";
import { addressOf, descriptionQuery } from "./datasets.ts";

/** Somebody, or an institution, as DataCite’s JSON names them. */
export interface Person {
  name: string;
  nameIdentifiers: { nameIdentifier: string }[];
  affiliation: { name: string; affiliationIdentifier?: string }[];
  contributorType?: string;
}

/** What the page shows of a DataCite record (https://schema.datacite.org), in the form that the service writes. */
export interface Metadata {
  titles: { title: string }[];
  creators: Person[];
  contributors: Person[];
  publisher: { name: string };
  subjects: { subject: string }[];
  dates: { date: string; dateType: string }[];
  language?: string;
  rightsList: { rights: string; rightsUri?: string; rightsIdentifier?: string }[];
  descriptions: { description: string }[];
}

/** The metadata of a version. */
export function metadataQuery(id: string, version: number) {
  return queryOptions({
    ...descriptionQuery(id, version, "datacite-json"),
    select: (text): Metadata => JSON.parse(text) as Metadata,
  });
}

/** What the page shows of the normalised metadata in a package (docs/package-format.md), besides the DataCite record. */
export interface FurtherMetadata {
  titles?: { title: string; titleType: string; language?: string }[];
  descriptions?: { description: string; descriptionType: string; language?: string }[];
  /** Present only if the submitter has made it public. */
  contact?: { name?: string; email: string };
  subjectTerms?: { subject: string; subjectScheme?: string; valueUri?: string }[];
  fundingReferences?: {
    funderName: string;
    funderIdentifier?: string;
    awardNumber?: string;
    awardTitle?: string;
    awardUri?: string;
  }[];
  relatedIdentifiers?: {
    relationType: string;
    relatedIdentifier?: string;
    relatedIdentifierType?: string;
    citation?: string;
  }[];
  dates?: { date: string; dateType: string; dateInformation?: string }[];
  geoLocations?: {
    geoLocationPlace?: string;
    geoLocationPoint?: { pointLatitude: number; pointLongitude: number };
    geoLocationBox?: {
      westBoundLongitude: number;
      eastBoundLongitude: number;
      southBoundLatitude: number;
      northBoundLatitude: number;
    };
  }[];
  resourceTypeGeneral?: string;
  resourceType?: string;
  alternateIdentifiers?: { alternateIdentifier: string; alternateIdentifierType: string }[];
  versionLabel?: string;
  licenses?: { license: { name: string; spdx?: string; url?: string }; appliesTo?: string }[];
  acknowledgements?: string;
  /** Values of the fields that the operator has defined, by group. */
  fields?: Record<string, unknown>;
}

/** The normalised metadata of a version, from its package. They contain no personal data that are not public. */
export function furtherMetadataQuery(id: string, version: number) {
  return queryOptions({
    queryKey: ["dataset", id, version, "further-metadata"],
    queryFn: async ({ signal }): Promise<FurtherMetadata> => {
      const request = new Request(addressOf(id, version, { path: "metadata/submission.json" }), { signal });
      const response = await fetchAsCaller(request);
      if (!response.ok) orThrow({ response, error: (await response.json()) as ProblemError["problem"] });
      return ((await response.json()) as { metadata: FurtherMetadata }).metadata;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}
