import type { FastifyRequest } from "fastify";
import { decodeJwt } from "jose";
import type { Queries } from "../../db/database.ts";
import { type DatasetRow, versionsOf } from "../../db/datasets/datasets.ts";
import { latestRevision, type RevisionRow } from "../../db/datasets/revisions.ts";
import type { GrantRow } from "../../db/publication/access-grants.ts";
import type { PublicationRow } from "../../db/publication/publications.ts";
import { findSubmission, type SubmissionRow } from "../../db/submissions/submissions.ts";
import { Problem } from "../../domain/problems.ts";
import { isReadable } from "../../publication/rules/access.ts";
import type { HttpContext } from "../context.ts";
import { type ReadableDataset, requireDataset, requireReadableDataset } from "../requests/require-resource.ts";
import { viewWithdrawnPublication } from "../responses/tombstone.ts";
import { optionalInteger } from "../schemas/basics.ts";
import type { Archived } from "./archived-cache.ts";
import { filesClosedProblem, grantFor } from "./closed-files.ts";
import { visibilityOf } from "./row-visibility.ts";

/** An archived version of a dataset. */
export interface Version {
  dataset: DatasetRow;
  number: number;
  archivedAt: Date;
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
  /** What the reader may see. Owners and curators see everything. */
  reader: {
    isPublic: boolean;
    /** Whether the reader sees where the data came from. Owners and curators do; others if the owner has agreed. */
    seesSource: boolean;
    /** Numbers of the versions that the public may see; undefined if the reader sees all. */
    versions: ReadonlySet<number> | undefined;
    /** Null if the reader may read the files, otherwise the problem that says why not. */
    noFiles: Problem | null;
    /** The grant that opens the files to the reader; undefined if they need none. */
    grant: GrantRow | undefined;
    /** The newest version that the reader knows of. */
    latest: number;
  };
}

/** Query parameter of operations on a version. */
export const VersionQuery = {
  version: optionalInteger({
    minimum: 1,
    maximum: 1_000_000,
    description: "Number of the version. Default: the latest version.",
    examples: [1],
  }),
};

/**
 * Returns the version that the request names, or the latest version of the dataset.
 * @throws Problem as `requireDataset`; `not_found` if the version does not exist; `publication_withdrawn` for the public
 */
export async function requireVersion(
  context: HttpContext,
  request: FastifyRequest,
  named = namedBy(request),
): Promise<Version> {
  // A download link is open, and acts as the reader who created it.
  const isRead = ["read", "open"].includes(request.routeOptions.config.access ?? "");
  const { dataset, publicVersions, namedVersions }: ReadableDataset = isRead
    ? await requireReadableDataset(context, request, named)
    : { dataset: await requireDataset(context, request, named), publicVersions: undefined, namedVersions: undefined };
  const latest = publicVersions === undefined ? dataset.latest_version : latestOf(publicVersions);
  const { version: wanted = latest } = named;
  const publication = publicVersions?.get(wanted);
  if (publicVersions !== undefined && publication === undefined) {
    throw new Problem("not_found", `Version ${wanted} of the dataset ${dataset.id} does not exist`);
  }
  if (publication !== undefined && visibilityOf(publication) === "notice")
    throw await withdrawnVersion(context.db, publication);
  const closed = publication === undefined ? null : filesClosedProblem(context, publication);
  // Grants open the files of published versions only.
  const isGranted = closed !== null && publication?.state === "published";
  const grant = isGranted ? await grantFor(context, request, dataset.id, wanted) : undefined;
  const reader = {
    isPublic: publication !== undefined,
    seesSource: publication === undefined || publication.show_source,
    versions: namedVersions && new Set([...namedVersions, wanted]),
    noFiles: grant === undefined ? closed : null,
    grant,
    latest,
  };
  return archivedVersion(context, dataset, wanted, reader);
}

/** Returns a version of a dataset for a reader whose access was checked before. @throws Problem `not_found` */
export async function archivedVersion(
  context: HttpContext,
  dataset: DatasetRow,
  wanted: number,
  reader: Version["reader"],
): Promise<Version> {
  const archived = await context.archived.version(dataset, wanted, () => readArchived(context.db, dataset.id, wanted));
  if (archived === undefined) {
    throw new Problem("not_found", `Version ${wanted} of the dataset ${dataset.id} does not exist`);
  }
  const { row, submission, revision } = archived;
  return {
    dataset,
    number: row.version,
    archivedAt: row.published_at,
    objects: row.objects,
    bytes: row.bytes,
    title: revision?.title ?? submission.title,
    submission,
    revision,
    dataOcflVersion: row.ocfl_version,
    ocflVersion: revision?.ocfl_version ?? row.ocfl_version,
    inventory: inventoryOf(revision?.receipt ?? submission.receipt ?? ""),
    reader,
  };
}

async function readArchived(db: Queries, dataset: string, wanted: number): Promise<Archived | undefined> {
  const row = (await versionsOf(db, dataset)).find(({ version }) => version === wanted);
  const submission = row && (await findSubmission(db, row.submission_id));
  if (row === undefined || submission?.receipt == null) return undefined;
  return { row, submission, revision: await latestRevision(db, dataset, row.version) };
}

/**
 * The newest published version. Until one is published, the newest one to which a DOI may lead; if all are withdrawn, the newest
 * one.
 */
function latestOf(versions: ReadonlyMap<number, PublicationRow>): number {
  const all = [...versions.values()];
  const published = all.filter(({ state }) => state === "published");
  const readable = all.filter((row) => isReadable(visibilityOf(row)));
  const withdrawn = all.filter(({ published_at }) => published_at !== null);
  const [chosen = all] = [published, readable, withdrawn].filter(({ length }) => length > 0);
  return Math.max(...chosen.map(({ version }) => version));
}

async function withdrawnVersion(db: Queries, publication: PublicationRow): Promise<Problem> {
  const withdrawn = await viewWithdrawnPublication(db, publication);
  const message = `Version ${withdrawn.version} is no longer public. Reason: ${withdrawn.reason}`;
  return new Problem("publication_withdrawn", message, { extra: { withdrawn } });
}

/** Throws if the reader may not read the files. Every route that gives files or their names calls it for each request. */
export function requireFiles({ reader: { noFiles } }: Version): void {
  if (noFiles !== null) throw noFiles;
}

/** The SHA-512 of the inventory that a receipt states. */
export function inventoryOf(receipt: string): string {
  return decodeJwt<{ digests: { inventory: { sha512: string } } }>(receipt).digests.inventory.sha512;
}

function namedBy({ params, query }: FastifyRequest): { id: string; version?: number } {
  return { ...(params as { id: string }), ...(query as { version?: number }) };
}

/** Identifies a version in requests to the archive for its files. */
export function orderOf({ dataset, ocflVersion, dataOcflVersion, inventory }: Version) {
  return { dataset: dataset.id, version: { number: ocflVersion, dataNumber: dataOcflVersion, inventory } };
}

/** The public address of the service, without a slash at the end. */
export function siteUrl({ publicUrl, basePath }: Pick<HttpContext, "publicUrl" | "basePath">): string {
  return `${publicUrl()}${basePath}`;
}

/** The public address of a dataset. It always refers to the latest version. */
export function datasetUrl(context: HttpContext, dataset: { id: string }): string {
  return `${siteUrl(context)}/dataset/${dataset.id}`;
}

/** Query that turns an address of a dataset into an address of this version; empty for the latest version. */
export function queryOf({ reader, number }: Version): string {
  return number === reader.latest ? "" : `?version=${number}`;
}
