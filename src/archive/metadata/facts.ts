import type { NormalizedMetadata } from "../../domain/metadata/normalized.ts";

/** What a package's metadata is made from, in every standard. */
export interface PackageFacts {
  /** A UUID; the dataset's identifier is `urn:uuid:` + this. */
  datasetId: string;
  /** From 1 on. */
  version: number;
  /** The newest version that there is. */
  latest: number;
  /**
   * The dataset's address at this service; without a `version` it is that of the newest one. Undefined where the service
   * has no configured public address: a local one must not become permanent in an archive.
   */
  url: string | undefined;
  submissionId: string;
  publisher: Publisher;
  /** ISO 8601, UTC. */
  publishedAt: string;
  metadata: NormalizedMetadata;
  source: SourceFacts;
  /** Files under `data/`, their bytes, and the listed objects that were left out. */
  objects: number;
  bytes: number;
  excluded: number;
  /** Media types of the files, see `MediaTypes`. */
  mediaTypes: readonly string[];
}

/** The publisher of the datasets, from the settings. */
export interface Publisher {
  name: string;
  /** Its web page. */
  url?: string;
  /** Where people can write to. */
  email?: string;
  /** Its id at the Research Organization Registry, as a URL. */
  ror?: string;
}

/** Where the content came from; never with credentials. */
export interface SourceFacts {
  endpoint: string;
  region: string | null;
  bucket: string;
  selection: { prefix?: string; include?: string[]; exclude?: string[] };
}

/** The dataset's identifier until it has a DOI. */
export function datasetUrn(datasetId: string): string {
  return `urn:uuid:${datasetId}`;
}

/** The address of a version, which never leads to another one. It is what a citation names. */
export function versionUrl(url: string, version: number): string {
  return `${url}?version=${version}`;
}

/** The sentence that stands where a standard demands a licence and none was given (CONTRACT 3.2). */
export const NO_LICENCE = "No licence stated; all rights reserved";

/** The description, or the sentence that stands in for it (CONTRACT 3.2). */
export function descriptionOf({ title, description }: NormalizedMetadata): string {
  return description ?? `Dataset ${title}, no description given`;
}

/**
 * The day the data may be had, `YYYY-MM-DD`: the end of an embargo that ends after publication, else the day of
 * publication. DataCite 4.7, property 5: the publication year of an embargoed dataset is the year the embargo ends.
 */
export function availableOn({ metadata, publishedAt }: PackageFacts): string {
  const published = publishedAt.slice(0, 10);
  return metadata.embargoDate !== undefined && metadata.embargoDate > published ? metadata.embargoDate : published;
}
