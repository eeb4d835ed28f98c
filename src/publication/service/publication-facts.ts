import { mediaTypesOf } from "../../db/chunks/files.ts";
import { requireSubmissionOfVersion } from "../../db/datasets/datasets.ts";
import { latestRevision, revisionDocuments } from "../../db/datasets/revisions.ts";
import { publicDois } from "../../db/publication/dois.ts";
import { datedPublication, type PublicationRow, publicationsOf } from "../../db/publication/publications.ts";
import { documentsOf } from "../../db/submissions/documents.ts";
import type { SubmissionRow } from "../../db/submissions/submissions.ts";
import { factsOfVersion } from "../../describe/compose-version-facts.ts";
import type { NormalizedMetadata } from "../../describe/metadata/normalized.ts";
import type { VersionFacts } from "../../describe/version-facts.ts";
import type { StepContext } from "../../steps/context.ts";
import { namedVersions } from "../rules/named-versions.ts";

/** What the public may know of a version that is published or being published, from its newest metadata. */
export async function publicationFacts(context: StepContext, row: PublicationRow): Promise<VersionFacts> {
  const { facts, submission } = await describedPublication(context, row);
  return { ...facts, mediaTypes: await mediaTypesOf(context.db, submission) };
}

/** The same without the media types of the files, which require a query for every thousand files. */
export async function describedPublication(
  context: StepContext,
  row: PublicationRow,
): Promise<{ facts: VersionFacts; submission: SubmissionRow }> {
  const { db } = context;
  const { dataset_id: dataset, version } = row;
  const submission = await requireSubmissionOfVersion(db, dataset, version);
  const revision = await latestRevision(db, dataset, version);
  const { metadata } =
    revision === undefined ? await documentsOf(db, submission.id) : await revisionDocuments(db, revision.id);
  // An embargo that is only stated in the metadata is not in force.
  const { embargoDate: _, ...described } = metadata;
  const state = { metadata: described, revision: revision?.revision };
  return { facts: await factsOfPublication(context, row, submission, state), submission };
}

/**
 * What a version that is, was or is being published states with these metadata: the dates of its publication, and the DOIs of all
 * versions that the public may know.
 */
export async function factsOfPublication(
  context: StepContext,
  row: PublicationRow,
  submission: SubmissionRow,
  { metadata, revision }: { metadata: NormalizedMetadata; revision: number | undefined },
): Promise<VersionFacts> {
  const { db } = context;
  const { dataset_id: datasetId, version } = row;
  const sources = {
    ...{ datasetId, number: version, revision, submission, metadata },
    ...{ objects: submission.objects_stored, bytes: submission.bytes_stored },
    archivedAt: submission.published_at ?? row.since,
    publication: datedPublication(row),
    // Versions that were never published are not named.
    versions: namedVersions(await publicationsOf(db, datasetId), context.publication.mode, version),
    dois: await publicDois(db, [datasetId]),
  };
  const url = `${context.publication.baseUrl()}/dataset/${datasetId}`;
  return factsOfVersion(sources, { publisher: context.publisher, url }, new Date());
}
