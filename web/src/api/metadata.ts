import { type components, orThrow, type ProblemError } from "@accession/client";
import { queryOptions } from "@tanstack/react-query";
import { fetchAsCaller } from "./client.ts";
import { addressOf, descriptionQuery } from "./datasets.ts";

type Schemas = components["schemas"];

/** A DataCite record (https://schema.datacite.org), in the form that the service writes. */
export type Metadata = Schemas["DataciteRecord"];
/** Somebody, or an institution, as DataCite’s JSON names them. */
export type Person = Schemas["DataciteName"];

/** The metadata of a version. */
export function metadataQuery(id: string, version: number) {
  return queryOptions({
    ...descriptionQuery(id, version, "datacite-json"),
    select: (text): Metadata => JSON.parse(text) as Metadata,
  });
}

/** The members that the API describes. Clients may send others, which have no type. */
export type Known<Members> = { [Name in keyof Members as string extends Name ? never : Name]: Members[Name] };

/** Members that only the DataCite record states here, or that differ: types are stated, and coordinates are numbers. */
type Others = "title" | "authors" | "license" | "titles" | "descriptions" | "geoLocations" | "licenses";

/** The normalised metadata in a package (docs/package-format.md), besides the DataCite record. */
export type FurtherMetadata = Omit<Known<Schemas["Metadata"]>, Others> & {
  titles?: (Known<Schemas["Title"]> & { titleType: string })[];
  descriptions?: (Known<Schemas["Description"]> & { descriptionType: string })[];
  geoLocations?: Schemas["DataciteGeoLocation"][];
  licenses?: { license: { name: string; spdx?: string; url?: string }; appliesTo?: string }[];
};

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
