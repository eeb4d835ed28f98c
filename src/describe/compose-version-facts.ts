import { type DatedPublication, publicationDates } from "../publication/rules/dates.ts";
import { type NormalizedMetadata, publicMetadata } from "./metadata/normalized.ts";
import type { Publisher, VersionFacts } from "./version-facts.ts";

/** What was read of a version. */
export interface VersionSources {
  datasetId: string;
  number: number;
  /** Undefined for the metadata of the submission. */
  revision: number | undefined;
  archivedAt: Date;
  /** Files below `data/`. */
  objects: number;
  bytes: number;
  submission: {
    id: string;
    endpoint: string;
    region: string | null;
    bucket: string;
    selection: unknown;
  };
  /** With personal data, which is removed. */
  metadata: NormalizedMetadata;
  /** Numbers of the versions that may be named, see `namedVersions`. */
  versions: readonly number[];
  /** Undefined if the version is not and was not published. */
  publication: DatedPublication | undefined;
  /** The DOIs of the dataset that the public may know. Those of withdrawn versions keep resolving. */
  dois: readonly { version: number; doi: string }[];
}

type Selection = VersionFacts["source"]["selection"];

/**
 * What a version states in archive, exports, pages and at DataCite. Nobody else composes these facts. Media types and access,
 * which change or need further queries, are added by those who state them.
 *
 * @param url of the dataset at this service, see {@link VersionFacts}
 */
export function factsOfVersion(
  sources: VersionSources,
  { publisher, url }: { publisher: Publisher; url: string | undefined },
  now: Date,
): VersionFacts {
  const { datasetId, number, revision, submission, metadata, versions, publication, dois } = sources;
  const { prefix, include, exclude } = submission.selection as Selection;
  const doi = dois.find(({ version }) => version === number)?.doi;
  return {
    datasetId,
    version: number,
    versions,
    ...(revision !== undefined && { revision }),
    url,
    submissionId: submission.id,
    publisher,
    archivedAt: sources.archivedAt.toISOString(),
    ...(publication !== undefined && { publication: publicationDates(publication, now) }),
    ...(doi !== undefined && { doi }),
    ...(dois.length > 0 && { dois: new Map(dois.map((row) => [row.version, row.doi])) }),
    metadata: publicMetadata(metadata),
    source: {
      endpoint: submission.endpoint,
      region: submission.region,
      bucket: submission.bucket,
      selection: { ...(prefix && { prefix }), ...(include && { include }), ...(exclude && { exclude }) },
    },
    objects: sources.objects,
    bytes: sources.bytes,
    mediaTypes: [],
  };
}
