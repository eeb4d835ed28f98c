import { type RevisionDocuments, revisionDocuments } from "../../db/datasets/revisions.ts";
import { type DoiRow, publicDois } from "../../db/publication/dois.ts";
import {
  type DatedColumns,
  datedPublication,
  type PublicationRow,
  publicationsOf,
} from "../../db/publication/publications.ts";
import type { SubmissionRow } from "../../db/submissions/submissions.ts";
import { type NormalizedMetadata, publicMetadata } from "../../domain/metadata/normalized.ts";
import type { Described } from "../../export/described.ts";
import { type MetadataFormat, PACKAGE_FORMATS } from "../../export/formats.ts";
import { isOpen } from "../../publication/rules/access.ts";
import { publicationDates } from "../../publication/rules/dates.ts";
import { namedVersions } from "../../publication/rules/named-versions.ts";
import type { HttpContext } from "../context.ts";
import { readDocuments } from "../responses/submissions.ts";
import { mediaTypesOf } from "./files.ts";
import { datasetUrl, type Version } from "./version.ts";

type PackageFacts = Described["facts"];
type PackageSelection = Described["facts"]["source"]["selection"];

/** What the facts of a version are made of. */
export interface VersionSources extends Pick<Version, "number" | "publishedAt" | "objects" | "bytes"> {
  datasetId: string;
  /** The newest version that the reader knows of. */
  latest: number;
  /** Numbers of the versions that may be named, see {@link namedVersions}. */
  versions: readonly number[];
  /** Undefined if its metadata are those of the submission. */
  revision: number | undefined;
  submission: Pick<SubmissionRow, "id" | "endpoint" | "region" | "bucket" | "selection" | "objects_excluded">;
  metadata: NormalizedMetadata;
  /** Undefined if publication was never requested. */
  publication: Pick<PublicationRow, DatedColumns> | undefined;
  /** The DOIs of the dataset that the public may know. */
  dois: readonly Pick<DoiRow, "version" | "doi">[];
}

/**
 * Returns the facts about a version that metadata exports contain. Publisher and addresses follow the current settings,
 * not those at the time of archiving. Media types are omitted, see {@link describe}.
 */
export async function describedOf(context: HttpContext, version: Version): Promise<Described> {
  const { dataset, number, revision, reader } = version;
  const { metadata } = await metadataOf(context, version);
  const publications = await publicationsOf(context.db, dataset.id);
  const publication = publications.find((row) => row.version === number);
  const versions = namedVersions(publications, context.publication.mode, reader.latest);
  const dois = await publicDois(context.db, [dataset.id]);
  return describedFrom(context, {
    ...version,
    ...{ datasetId: dataset.id, latest: reader.latest, versions, revision: revision?.revision },
    ...{ metadata, publication, dois },
  });
}

/** The facts about a version from what was read of it, see {@link describedOf}. */
export function describedFrom(context: HttpContext, version: VersionSources): Described {
  const { datasetId, number, latest, versions, revision, submission, metadata, publication, dois } = version;
  const doi = dois.find((row) => row.version === number)?.doi;
  const url = datasetUrl(context, { id: datasetId });
  const now = new Date();
  const { prefix, include, exclude } = submission.selection as PackageSelection;
  return {
    facts: {
      datasetId,
      version: number,
      versions,
      ...(revision !== undefined && { revision }),
      url,
      submissionId: submission.id,
      publisher: context.publisher,
      publishedAt: version.publishedAt.toISOString(),
      ...(doi !== undefined && { doi }),
      dois: new Map(dois.map((row) => [row.version, row.doi])),
      ...publishedFacts(publication, now),
      metadata: withEmbargoInForce(publication, publicMetadata(metadata), now),
      source: {
        endpoint: submission.endpoint,
        region: submission.region,
        bucket: submission.bucket,
        selection: { ...(prefix && { prefix }), ...(include && { include }), ...(exclude && { exclude }) },
      },
      objects: version.objects,
      bytes: version.bytes,
      excluded: submission.objects_excluded,
      mediaTypes: [],
    },
    query: number === latest ? "" : `?version=${number}`,
    downloads: Object.entries(PACKAGE_FORMATS).map(([name, { title, profile }]) => ({
      url: `${url}/export/${name}?version=${number}`,
      name: title,
      mediaType: "application/zip",
      profile,
    })),
  };
}

type Publication = VersionSources["publication"];

/** The dates of the publication, and who may read the files now. An embargo that has ended is no restriction. */
function publishedFacts(publication: Publication, now: Date): Pick<PackageFacts, "access" | "publication"> {
  if (publication === undefined || !isPublished(publication)) return {};
  return { publication: publicationDates(datedPublication(publication), now), ...accessNow(publication, now) };
}

/**
 * Who may read the files of a public version. While it is being registered, its files are closed also if they will be open: then no
 * format says anything about the access.
 */
function accessNow(
  { state, access, embargo_date: embargoDate }: NonNullable<Publication>,
  now: Date,
): Pick<PackageFacts, "access"> {
  const isOpened = isOpen({ access, embargoDate }, now);
  if (state === "registering") return isOpened ? {} : { access };
  return state === "published" ? { access: isOpened ? "open" : access } : {};
}

/** Whether a version is or was published, or is being published. */
function isPublished({ state, published_at }: NonNullable<Publication>): boolean {
  return published_at !== null || state === "registering";
}

/**
 * The metadata with the embargo that is in force now: after publication, that of the publication and not the stated one. Access
 * is decided by the clock in every format.
 */
function withEmbargoInForce(publication: Publication, metadata: NormalizedMetadata, now: Date): NormalizedMetadata {
  const { embargoDate: stated, ...others } = metadata;
  const isOfPublication = publication !== undefined && isPublished(publication);
  const end = isOfPublication ? embargoOf(publication) : stated;
  return end !== undefined && now.toISOString().slice(0, 10) < end ? { ...others, embargoDate: end } : others;
}

function embargoOf({ access, embargo_date }: NonNullable<Publication>): string | undefined {
  return access === "embargoed" ? (embargo_date ?? undefined) : undefined;
}

/** The newest metadata of a version: those of its last revision, or of its submission. */
export async function metadataOf(context: HttpContext, { revision, submission }: Version): Promise<RevisionDocuments> {
  return revision === undefined ? readDocuments(context, submission.id) : revisionDocuments(context.db, revision.id);
}

/** Exports the metadata of a version. The media types of its files are read only for formats that contain them. */
export async function describe(context: HttpContext, version: Version, format: MetadataFormat): Promise<string> {
  const { facts, ...described } = await describedOf(context, version);
  const mediaTypes = format.namesMediaTypes === true ? await mediaTypesOf(context, version) : [];
  return format.write({ ...described, facts: { ...facts, mediaTypes } });
}
