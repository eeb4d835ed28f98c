import type { components } from "@accession/client";

type Schemas = components["schemas"];

/** A DataCite record (https://schema.datacite.org), in the form that the service writes. */
export type DataciteRecord = Schemas["DataciteRecord"];
/** Somebody, or an institution, as DataCite’s JSON names them. */
export type Person = Schemas["DataciteName"];

/** The members that the API describes. Clients may send others, which have no type. */
export type Known<Members> = { [Name in keyof Members as string extends Name ? never : Name]: Members[Name] };

/** Members that only the DataCite record states here, or that differ: types are stated, and coordinates are numbers. */
type Others = "title" | "authors" | "license" | "titles" | "descriptions" | "geoLocations" | "licenses";

/**
 * The normalised metadata in a package (docs/package-format.md), besides the DataCite record. They contain no personal data that
 * are not public.
 */
export type PackageMetadata = Omit<Known<Schemas["Metadata"]>, Others> & {
  titles?: (Known<Schemas["Title"]> & { titleType: string })[];
  descriptions?: (Known<Schemas["Description"]> & { descriptionType: string })[];
  geoLocations?: Schemas["DataciteGeoLocation"][];
  licenses?: { license: { name: string; spdx?: string; url?: string }; appliesTo?: string }[];
};
