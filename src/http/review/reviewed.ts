import type { FastifyRequest } from "fastify";
import { findDataset } from "../../db/datasets/datasets.ts";
import { findPublication, type PublicationRow, privatePublication } from "../../db/publication/publications.ts";
import type { ReviewerLinkRow } from "../../db/publication/reviewer-links.ts";
import { Problem } from "../../domain/problems.ts";
import type { HttpContext } from "../context.ts";
import { archivedVersion, type Version } from "../dataset/readable-version.ts";
import { setRequestSubject } from "../requests/request-log.ts";
import { requirePublication } from "../requests/require-resource.ts";

/** The version of a dataset that a reviewer link opens. */
export interface Reviewed {
  link: ReviewerLinkRow;
  version: Version;
  publication: PublicationRow;
}

/**
 * Returns what the link of the request opens, which is always the version for which the link was created.
 *
 * @throws Problem `publication_off`; `reviewed_withdrawn`, without the reason, which can name people
 */
export async function requireReviewed(context: HttpContext, request: FastifyRequest): Promise<Reviewed> {
  const link = request.reviewerLink;
  if (link === null) throw new Error("The route does not require a reviewer link");
  requirePublication(context);
  const dataset = await findDataset(context.db, link.dataset_id);
  if (dataset === undefined || dataset.withdrawn_at !== null) throw new Problem("reviewed_withdrawn");
  setRequestSubject(request, { dataset: dataset.id });
  const found = await findPublication(context.db, dataset.id, link.version);
  if (found?.state === "withdrawn") throw new Problem("reviewed_withdrawn");
  const reader = {
    ...{ isPublic: false, seesSource: false, versions: new Set([link.version]), latest: link.version },
    ...{ noFiles: null, grant: undefined },
  };
  const version = await archivedVersion(context, dataset, link.version, reader);
  const publication = found ?? privatePublication(dataset.id, version.number, version.archivedAt);
  return { link, version, publication };
}
