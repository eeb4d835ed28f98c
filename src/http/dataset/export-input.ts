import { mediaTypesOf } from "../../db/chunks/files.ts";
import { type RevisionDocuments, revisionDocuments } from "../../db/datasets/revisions.ts";
import { publicDois, reservedDoiOf } from "../../db/publication/dois.ts";
import {
  type DatedColumns,
  datedPublication,
  type PublicationRow,
  publicationsOf,
} from "../../db/publication/publications.ts";
import { factsOfVersion, type VersionSources } from "../../describe/compose-version-facts.ts";
import type { ExportInput } from "../../describe/formats/export-input.ts";
import { type MetadataFormat, PACKAGE_FORMATS } from "../../describe/formats/formats.ts";
import type { NormalizedMetadata } from "../../describe/metadata/normalized.ts";
import { isOpen } from "../../publication/rules/access.ts";
import { namedVersions } from "../../publication/rules/named-versions.ts";
import { SERVICE } from "../../publication/rules/states.ts";
import type { HttpContext } from "../context.ts";
import { describedFiles } from "../described/files.ts";
import { readDocuments } from "../responses/submissions.ts";
import { datasetUrl, type Version } from "./readable-version.ts";

type ExportFacts = ExportInput["facts"];

/** A version for a reader. */
export interface ReadVersion extends Omit<VersionSources, "publication"> {
  /** The newest version that the reader knows of. */
  latest: number;
  /** Undefined if publication was never requested. */
  publication: Publication;
  /** The DOI under which the version will be published; for versions that were never published. */
  reservedDoi?: string | undefined;
}

type Publication = Pick<PublicationRow, DatedColumns> | undefined;

/**
 * Returns the facts about a version that metadata exports contain. Publisher and addresses follow the current settings,
 * not those at the time of archiving. Media types are omitted, see {@link describe}.
 */
export async function exportInputOf(context: HttpContext, version: Version): Promise<ExportInput> {
  const { dataset, number, revision, reader } = version;
  const { metadata } = await metadataOf(context, version);
  const publications = await publicationsOf(context.db, dataset.id);
  const publication = publications.find((row) => row.version === number);
  const versions = namedVersions(publications, context.publication.mode, reader.latest);
  const dois = await publicDois(context.db, [dataset.id]);
  // While the version is being registered, strangers see it, but not yet its DOI.
  const isNamed = !wasPublished(publication) && !reader.isPublic;
  const reservedDoi = isNamed ? await reservedDoiOf(context.db, dataset.id, number) : undefined;
  const described = exportInputFrom(context, {
    ...version,
    ...{ datasetId: dataset.id, latest: reader.latest, versions, revision: revision?.revision },
    ...{ metadata, publication, dois, reservedDoi },
  });
  const revisedOn = lastRevisedAt(version)?.toISOString().slice(0, 10);
  return { ...described, ...(revisedOn !== undefined && { revisedOn }) };
}

/** When a person last changed the metadata. The revision that the service writes after publication changes no metadata. */
export function lastRevisedAt({ revision }: Pick<Version, "revision">): Date | undefined {
  return revision === undefined || revision.changed_by === SERVICE ? undefined : (revision.published_at ?? undefined);
}

/** The facts about a version from what was read of it, see {@link exportInputOf}. */
export function exportInputFrom(context: HttpContext, version: ReadVersion): ExportInput {
  const { datasetId, number, latest, publication } = version;
  const url = datasetUrl(context, { id: datasetId });
  const now = new Date();
  const isPublic = publication !== undefined && isPublished(publication);
  const sources = {
    ...version,
    publication: isPublic ? datedPublication(publication) : undefined,
    metadata: withEmbargoInForce(publication, version.metadata, now),
  };
  const facts = factsOfVersion(sources, { publisher: context.publisher, url }, now);
  const isUnpublished = !wasPublished(publication) && context.publication.mode !== "off";
  return {
    ...(isUnpublished && { unpublished: { reservedDoi: version.reservedDoi } }),
    facts: { ...facts, url, ...(isPublic && accessNow(publication, now)) },
    query: number === latest ? "" : `?version=${number}`,
    downloads: Object.entries(PACKAGE_FORMATS).map(([name, { title, profile }]) => ({
      url: `${url}/export/${name}?version=${number}`,
      name: title,
      mediaType: "application/zip",
      profile,
    })),
  };
}

/**
 * Who may read the files of a public version. While it is being registered, its files are closed also if they will be open: then no
 * format says anything about the access.
 */
function accessNow(
  { state, access, embargo_date: embargoDate }: NonNullable<Publication>,
  now: Date,
): Pick<ExportFacts, "access"> {
  const isOpened = isOpen({ access, embargoDate }, now);
  if (state === "registering") return isOpened ? {} : { access };
  return state === "published" ? { access: isOpened ? "open" : access } : {};
}

/** Whether a version is or was published, or is being published. */
function isPublished({ state, published_at }: NonNullable<Publication>): boolean {
  return published_at !== null || state === "registering";
}

/** Whether a version was published. While it is being registered for the first time, citations do not state it as published. */
function wasPublished(publication: Publication): boolean {
  return publication !== undefined && publication.published_at !== null;
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

/** Exports the metadata of a version. Its files are read only for formats that contain something of them. */
export async function describe(context: HttpContext, version: Version, format: MetadataFormat): Promise<string> {
  const { facts, ...described } = await exportInputOf(context, version);
  const mediaTypes = format.namesMediaTypes === true ? await mediaTypesOf(context.db, version.submission) : [];
  const input = { ...described, facts: { ...facts, mediaTypes } };
  if (format.listsFiles !== true) return format.write(input);
  return format.write({ ...input, files: await describedFiles(context, version, input) });
}
