import type { FastifyRequest } from "fastify";
import { decodeJwt } from "jose";
import { Type } from "typebox";
import { type DatasetRow, versionsOf } from "../../db/datasets/datasets.ts";
import { latestRevision, type RevisionRow } from "../../db/datasets/revisions.ts";
import { findSubmission, type SubmissionRow } from "../../db/submissions/submissions.ts";
import { Problem } from "../../domain/problems.ts";
import type { HttpContext } from "../context.ts";
import { requireDataset } from "../requests/require-resource.ts";

/** An archived version of a dataset. */
export interface Version {
  dataset: DatasetRow;
  number: number;
  publishedAt: Date;
  /** Files below `data/`. */
  objects: number;
  bytes: number;
  /** According to its newest metadata. */
  title: string;
  /** The submission that created the version. */
  submission: SubmissionRow;
  /** Its newest metadata revision; undefined if its metadata are those of the submission. */
  revision: RevisionRow | undefined;
  /** The version of the OCFL object that archived the data. */
  dataOcflVersion: number;
  /** The version of the OCFL object with the newest metadata, and the SHA-512 of its inventory. */
  ocflVersion: number;
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
    throw new Problem("not_found", `Version ${wanted} of the dataset ${dataset.id} does not exist`);
  const revision = await latestRevision(context.db, dataset.id, row.version);
  return {
    dataset,
    number: row.version,
    publishedAt: row.published_at,
    objects: row.objects,
    bytes: row.bytes,
    title: revision?.title ?? submission.title,
    submission,
    revision,
    dataOcflVersion: row.ocfl_version,
    ocflVersion: revision?.ocfl_version ?? row.ocfl_version,
    inventory: inventoryOf(revision?.receipt ?? submission.receipt),
  };
}

function inventoryOf(receipt: string): string {
  return decodeJwt<{ digests: { inventory: { sha512: string } } }>(receipt).digests.inventory.sha512;
}

function namedBy({ params, query }: FastifyRequest): { id: string; version?: number } {
  return { ...(params as { id: string }), ...(query as { version?: number }) };
}

/** Identifies a version in requests to the archive for its files. */
export function orderOf({ dataset, ocflVersion, dataOcflVersion, inventory }: Version) {
  return { dataset: dataset.id, version: { number: ocflVersion, dataNumber: dataOcflVersion, inventory } };
}

/** The public address of a dataset. It always refers to the latest version. */
export function datasetUrl({ publicUrl, basePath }: HttpContext, dataset: { id: string }): string {
  return `${publicUrl()}${basePath}/dataset/${dataset.id}`;
}

/** Query that turns an address of a dataset into an address of this version; empty for the latest version. */
export function queryOf({ dataset, number }: Version): string {
  return number === dataset.latest_version ? "" : `?version=${number}`;
}
