import { queryOptions } from "@tanstack/react-query";
import { descriptionQuery } from "./datasets.ts";

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
