import type { FastifyRequest } from "fastify";
import { decodeJwt } from "jose";
import { Type } from "typebox";
import { type DatasetRow, versionsOf } from "../../db/datasets/datasets.ts";
import { findSubmission, type SubmissionRow } from "../../db/submissions/submissions.ts";
import { Problem } from "../../domain/problems.ts";
import type { HttpContext } from "../context.ts";
import { requireDataset } from "../requests/find-or-refuse.ts";

/** A version of a dataset, as it was archived. */
export interface Version {
  dataset: DatasetRow;
  number: number;
  publishedAt: Date;
  /** Files below `data/`. */
  objects: number;
  bytes: number;
  /** From which it came. */
  submission: SubmissionRow;
  /** SHA-512 of its inventory. */
  inventory: string;
}

/** Query member of everything that is about one version. */
export const VersionQuery = {
  version: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000_000, description: "Default: the latest one.", examples: [1] }),
  ),
};

/**
 * The version that the request names, of the dataset that its path names.
 * @throws Problem as `requireDataset`; `not_found` when there is no such version
 */
export async function requireVersion(
  context: HttpContext,
  request: FastifyRequest,
  named = namedBy(request),
): Promise<Version> {
  const dataset = await requireDataset(context, request, named);
  const { version: wanted = dataset.latest_version } = named;
  const row = (await versionsOf(context.db, dataset.id)).find(({ version }) => version === wanted);
  const submission = row && (await findSubmission(context.db, row.submission_id));
  if (row === undefined || submission?.receipt == null) throw new Problem("not_found", "There is no such version");
  return {
    dataset,
    number: row.version,
    publishedAt: row.published_at,
    objects: row.objects,
    bytes: row.bytes,
    submission,
    inventory: decodeJwt<{ digests: { inventory: { sha512: string } } }>(submission.receipt).digests.inventory.sha512,
  };
}

function namedBy({ params, query }: FastifyRequest): { id: string; version?: number } {
  return { ...(params as { id: string }), ...(query as { version?: number }) };
}

/** A version as an order for its files names it. */
export function orderOf({ dataset, number, inventory }: Version) {
  return { dataset: dataset.id, version: { number, inventory } };
}

/** The address of a dataset, for callers: of its latest version, whichever that is. */
export function datasetUrl({ publicUrl, basePath }: HttpContext, dataset: { id: string }): string {
  return `${publicUrl()}${basePath}/dataset/${dataset.id}`;
}

/** What makes an address below a dataset’s one of this version; nothing for the latest. */
export function queryOf({ dataset, number }: Version): string {
  return number === dataset.latest_version ? "" : `?version=${number}`;
}
