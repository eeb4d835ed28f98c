import type { Static } from "typebox";
import { revisionsOf } from "../../db/datasets/revisions.ts";
import { agentOf } from "../../describe/metadata/agent.ts";
import { type NormalizedMetadata, publicMetadata } from "../../describe/metadata/normalized.ts";
import { reviewedParts } from "../../public/site/landing/parts.ts";
import type { Language } from "../../public/site/site.ts";
import { anonymousMetadata } from "../../publication/rules/anonymous-metadata.ts";
import type { HttpContext } from "../context.ts";
import { metadataOf } from "../dataset/export-input.ts";
import { inventoryOf, type Version } from "../dataset/readable-version.ts";
import type { Commitment, Named, ReviewView } from "../schemas/review.ts";
import type { Reviewed } from "./reviewed.ts";
import { describingFiles } from "./reviewed-files.ts";

/**
 * What reviewers see. An anonymous view has only members of this function and of `anonymousMetadata`: no ids, no identifiers,
 * and nothing of the label of the link.
 * @param language of the parts of the page
 */
export async function viewReview(
  context: HttpContext,
  reviewed: Reviewed,
  language: Language,
): Promise<Static<typeof ReviewView>> {
  const { link, version, publication } = reviewed;
  const { metadata } = await metadataOf(context, version);
  const [commitment, ...earlierCommitments] = await commitmentsOf(context, version);
  const own = await describingFiles(context, reviewed);
  if (commitment === undefined) throw new Error(`Version ${version.number} of ${version.dataset.id} has no receipt`);
  const page = link.anonymous
    ? { metadata: { ...anonymousMetadata(metadata), authors: [] }, publisher: undefined }
    : { metadata: publicMetadata(metadata), publisher: context.publisher };
  return {
    page: reviewedParts({ ...page, version: version.number }, language),
    anonymous: link.anonymous,
    expiresAt: link.expires_at.toISOString(),
    state: publication.state,
    version: version.number,
    metadata: anonymousMetadata(metadata),
    named: link.anonymous ? null : namedIn(context, metadata),
    files: {
      number: version.objects - link.files_left_out + own.length,
      bytes: own.reduce((sum, { bytes }) => sum + bytes, version.bytes - link.bytes_left_out),
      leftOut: link.files_left_out,
    },
    commitment,
    earlierCommitments,
  };
}

/** What names people and institutions. */
function namedIn({ publisher }: HttpContext, metadata: NormalizedMetadata): Static<typeof Named> {
  const { authors, fieldSchemas: _, ...others } = publicMetadata(metadata);
  return {
    people: authors.map((author) => {
      const { name, orcid = null, affiliations } = agentOf(author);
      return { name, role: author.role, orcid, affiliations: affiliations.map((one) => one.name) };
    }),
    publisher: publisher.name,
    metadata: others,
  };
}

/**
 * The SHA-512 of the inventory of each state of a version, newest first. It commits to all files and metadata without naming
 * them. The publication record names the one that was published, so that readers can compare.
 */
async function commitmentsOf({ db }: HttpContext, version: Version): Promise<Static<typeof Commitment>[]> {
  const { dataset, number, submission, archivedAt } = version;
  const revised = (await revisionsOf(db, dataset.id, number)).flatMap(({ revision, receipt, published_at: at }) =>
    receipt === null || at === null
      ? []
      : [{ sha512: inventoryOf(receipt), metadataRevision: revision, since: at.toISOString() }],
  );
  const { receipt } = submission;
  if (receipt === null) return revised;
  return [...revised, { sha512: inventoryOf(receipt), metadataRevision: 1, since: archivedAt.toISOString() }];
}
