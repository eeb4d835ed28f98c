import type { AccessKind } from "../../packages/rules/src/index.ts";
import { datasetUrn } from "../domain/uuid.ts";
import type { PublicationDates } from "../publication/rules/dates.ts";
import type { NormalizedContact, NormalizedMetadata, NormalizedPartLicense } from "./metadata/normalized.ts";

/** The input for a package's metadata in every standard. */
export interface VersionFacts {
  /** A UUID; the dataset's identifier is `urn:uuid:` + this. */
  datasetId: string;
  /** From 1 on. */
  version: number;
  /** Numbers of the versions that may be named: those that are or were published. Others would be relations that lead nowhere. */
  versions: readonly number[];
  /** Number of the version's metadata revision, from 2 on; undefined for the metadata of its submission. */
  revision?: number;
  /**
   * The dataset's URL at this service; without a `version` it is that of the newest one. Undefined if the service has no
   * configured public URL: a local one must not become permanent in an archive.
   */
  url: string | undefined;
  submissionId: string;
  publisher: Publisher;
  /** When the version was archived; ISO 8601, UTC. */
  archivedAt: string;
  /** The dates of its publication; absent if it is not and was not published. */
  publication?: PublicationDates;
  /** The registered DOI of the version; absent if it has none. */
  doi?: string;
  /** The DOIs of the published versions by number, and the DOI of the dataset as a whole (`CONCEPT`); absent without DOIs. */
  dois?: ReadonlyMap<number, string>;
  /** Who may read the files of a published version now; absent in archived packages, because it can change. */
  access?: AccessKind;
  /** Without personal data, see `publicMetadata`. */
  metadata: NormalizedMetadata;
  source: SourceFacts;
  /** Files under `data/`, and their bytes. */
  objects: number;
  bytes: number;
  /** Media types of the files, see `MediaTypes`. */
  mediaTypes: readonly string[];
}

/** The publisher of the datasets, from the settings. */
export interface Publisher {
  name: string;
  /** Its web page. */
  url?: string;
  /** The address for questions about the datasets. */
  email?: string;
  /** Its id at the Research Organization Registry, as a URL. */
  ror?: string;
}

/** The data source of the content, without credentials. */
export interface SourceFacts {
  endpoint: string;
  region: string | null;
  bucket: string;
  selection: { prefix?: string; include?: string[]; exclude?: string[] };
}

/**
 * The identifier under which a version is published if it has no DOI: that of the dataset, and for later versions with the
 * version as f-component (RFC 8141, section 2.3.3), so that each version has its own.
 */
export function versionUrn(datasetId: string, version: number): string {
  return version === 1 ? datasetUrn(datasetId) : `${datasetUrn(datasetId)}#v${version}`;
}

/** The nearest versions before and after this one that may be named. */
export function neighbourVersions({ version, versions }: Pick<VersionFacts, "version" | "versions">): {
  previous?: number;
  next?: number;
} {
  const before = versions.filter((one) => one < version);
  const after = versions.filter((one) => one > version);
  return {
    ...(before.length > 0 && { previous: Math.max(...before) }),
    ...(after.length > 0 && { next: Math.min(...after) }),
  };
}

/** A DOI as URL, its form in citations (DataCite's and Crossref's display guidelines). */
export function doiUrl(doi: string): string {
  return `https://doi.org/${doi}`;
}

/** The URL of a version, for citations. It never refers to another version. */
export function versionUrl(url: string, version: number): string {
  return `${url}?version=${version}`;
}

/** The text for standards that require a licence, if none was submitted (docs/metadata.md). */
export const NO_LICENCE = "No licence stated; all rights reserved";

/** The description, or the text for standards that require one, if none was submitted (docs/metadata.md). */
export function descriptionOf({ title, description }: NormalizedMetadata): string {
  return description ?? `Dataset ${title}, no description given`;
}

/** Whether {@link descriptionOf} has written a text because there was no description. */
export function statesNoDescription(text: string): boolean {
  return /^Dataset .*, no description given$/s.test(text);
}

/**
 * The day of publication, `YYYY-MM-DD`; before it, that of archiving. Its year is the year in citations, which never changes, also
 * if an embargo ends in another year.
 */
export function issuedOn({ publication, archivedAt }: VersionFacts): string {
  return publication?.issued ?? archivedAt.slice(0, 10);
}

/**
 * The day from which all readers can read the files, `YYYY-MM-DD`; undefined if there is none. Before publication: the end of the
 * embargo in the metadata, if it ends after archiving, otherwise the day of archiving.
 */
export function availableOn({ publication, metadata, archivedAt }: VersionFacts): string | undefined {
  if (publication !== undefined) return publication.available;
  const archived = archivedAt.slice(0, 10);
  return metadata.embargoDate !== undefined && metadata.embargoDate > archived ? metadata.embargoDate : archived;
}

/** The submitter's name of the version, or its number. */
export function versionLabelOf({ metadata, version }: VersionFacts): string {
  return metadata.versionLabel ?? String(version);
}

/** The contact, if the submitter has made it public. */
export function publicContactOf({ contact }: NormalizedMetadata): NormalizedContact | undefined {
  return contact?.public === true ? contact : undefined;
}

/** Keywords and the names of terms from vocabularies, each once. */
export function keywordsOf({ subjects, subjectTerms = [] }: NormalizedMetadata): string[] {
  return [...new Set([...subjects, ...subjectTerms.map(({ subject }) => subject)])];
}

/** The name of a licence, with the part of the dataset to which it applies. */
export function partLicenceText({ license, appliesTo }: NormalizedPartLicense): string {
  return appliesTo === undefined ? license.name : `${license.name} (${appliesTo})`;
}

const THANKS = "Acknowledgements: ";

/** Texts for which formats have no place: the acknowledgements, as a further description. */
export function placelessTexts({ acknowledgements }: NormalizedMetadata): string[] {
  return acknowledgements === undefined ? [] : [THANKS + acknowledgements];
}

/** The acknowledgements in a text of {@link placelessTexts}; undefined for other texts. */
export function acknowledgementsIn(text: string): string | undefined {
  const stated = text.startsWith(THANKS) ? text.slice(THANKS.length) : "";
  return /^\S/.test(stated) ? stated : undefined;
}
