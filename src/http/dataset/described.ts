import { type RevisionDocuments, revisionDocuments } from "../../db/datasets/revisions.ts";
import { doisOf } from "../../db/publication/dois.ts";
import { findPublication, type PublicationRow } from "../../db/publication/publications.ts";
import { type NormalizedMetadata, publicMetadata } from "../../domain/metadata/normalized.ts";
import type { Described } from "../../export/described.ts";
import { type MetadataFormat, PACKAGE_FORMATS } from "../../export/formats.ts";
import type { HttpContext } from "../context.ts";
import { readDocuments } from "../responses/submissions.ts";
import { mediaTypesOf } from "./files.ts";
import { datasetUrl, queryOf, type Version } from "./version.ts";

type PackageSelection = Described["facts"]["source"]["selection"];

/**
 * Returns the facts about a version that metadata exports contain. Publisher and addresses follow the current settings,
 * not those at the time of archiving. Media types are omitted, see {@link describe}.
 */
export async function describedOf(context: HttpContext, version: Version): Promise<Described> {
  const { dataset, number, submission } = version;
  const { metadata } = await metadataOf(context, version);
  const publication = await findPublication(context.db, dataset.id, number);
  const dois = (await doisOf(context.db, dataset.id)).filter(({ state }) => state === "findable");
  const doi = dois.find((row) => row.version === number)?.doi;
  const url = datasetUrl(context, dataset);
  const query = queryOf(version);
  const { prefix, include, exclude } = submission.selection as PackageSelection;
  return {
    facts: {
      datasetId: dataset.id,
      version: number,
      latest: version.reader.latest,
      ...(version.revision !== undefined && { revision: version.revision.revision }),
      url,
      submissionId: submission.id,
      publisher: context.publisher,
      publishedAt: version.publishedAt.toISOString(),
      ...(doi !== undefined && { doi }),
      dois: new Map(dois.map((row) => [row.version, row.doi])),
      metadata: withEmbargoOf(publication, publicMetadata(metadata)),
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
    query,
    downloads: Object.entries(PACKAGE_FORMATS).map(([name, { title, profile }]) => ({
      url: `${url}/export/${name}?version=${number}`,
      name: title,
      mediaType: "application/zip",
      profile,
    })),
  };
}

/** The metadata with the embargo that is in force: after publication, that of the publication and not the stated one. */
function withEmbargoOf(publication: PublicationRow | undefined, metadata: NormalizedMetadata): NormalizedMetadata {
  if (publication?.state !== "published" && publication?.state !== "registering") return metadata;
  const { embargoDate: _, ...others } = metadata;
  return publication.embargo_date === null ? others : { ...others, embargoDate: publication.embargo_date };
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
