import type { FastifyRequest } from "fastify";
import { decodeJwt } from "jose";
import { Type } from "typebox";
import { type DatasetRow, versionsOf } from "../../db/datasets/datasets.ts";
import { findSubmission, type SubmissionRow } from "../../db/submissions/submissions.ts";
import { Problem } from "../../domain/problems.ts";
import type { HttpContext } from "../context.ts";
import { requireDataset } from "../requests/find-or-refuse.ts";

/** An archived version of a dataset. */
export interface Version {
  dataset: DatasetRow;
  number: number;
  publishedAt: Date;
  /** Files below `data/`. */
  objects: number;
  bytes: number;
  /** The submission that created the version. */
  submission: SubmissionRow;
  /** SHA-512 of its inventory. */
  inventory: string;
}

/** Query parameter of operations on a version. */
export const VersionQuery = {
  version: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: "Number of the version. Default: the latest version.",
      examples: [1],
    }),
  ),
};

/**
 * Returns the version that the request names, or the latest version of the dataset.
 * @throws Problem as `requireDataset`; `not_found` if the version does not exist
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
  if (row === undefined || submission?.receipt == null)
    throw new Problem("not_found", "The dataset has no such version");
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

/** Identifies a version in requests to the archive for its files. */
export function orderOf({ dataset, number, inventory }: Version) {
  return { dataset: dataset.id, version: { number, inventory } };
}

/** The public address of a dataset. It always refers to the latest version. */
export function datasetUrl({ publicUrl, basePath }: HttpContext, dataset: { id: string }): string {
  return `${publicUrl()}${basePath}/dataset/${dataset.id}`;
}

/** Query that turns an address of a dataset into an address of this version; empty for the latest version. */
export function queryOf({ dataset, number }: Version): string {
  return number === dataset.latest_version ? "" : `?version=${number}`;
}
