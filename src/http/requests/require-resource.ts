import type { FastifyRequest } from "fastify";
import { type DatasetRow, findDataset } from "../../db/datasets/datasets.ts";
import { findWebhook, type WebhookRow } from "../../db/notifications/webhooks.ts";
import { type PublicationRow, publicationsOf } from "../../db/publication/publications.ts";
import { findSubmission, type SubmissionRow } from "../../db/submissions/submissions.ts";
import { Problem } from "../../domain/problems.ts";
import { uuidOf } from "../../domain/uuid.ts";
import { mayChange, maySee, requireAccess } from "../../people/caller.ts";
import type { HttpContext } from "../context.ts";
import { visibilityOf } from "../dataset/row-visibility.ts";
import { viewPublicTombstone, viewTombstone } from "../responses/tombstone.ts";
import { callerOf } from "./access.ts";

/**
 * Returns the submission that the path names. Submissions that the caller may not see are reported as not found.
 *
 * @throws Problem `not_found`, or `forbidden` if the caller may see the submission but not change it
 */
export async function requireSubmission(context: HttpContext, request: FastifyRequest): Promise<SubmissionRow> {
  const { id } = request.params as { id: string };
  // Shared, because many clients poll the same submission.
  const row = await context.submissions.read(id, (db) => findSubmission(db, id));
  return requireOwn(request, row, "submission", id);
}

/**
 * Returns the dataset that the path names, by the same rules.
 *
 * @param named replaces the parameters of the path
 * @throws Problem `not_found`, `forbidden`, or `dataset_withdrawn` with the tombstone
 */
export async function requireDataset(
  context: HttpContext,
  request: FastifyRequest,
  { id } = request.params as { id: string },
): Promise<DatasetRow> {
  const uuid = uuidOf(id);
  const row = requireOwn(request, await findDataset(context.db, uuid), "dataset", uuid);
  await requireAvailable(context, row);
  return row;
}

/** A dataset as its reader may see it. */
export interface ReadableDataset {
  dataset: DatasetRow;
  /** The versions that the reader may see with what the public may see of them; undefined for its owner and curators. */
  publicVersions: Map<number, PublicationRow> | undefined;
  /**
   * The versions that the reader learns of in lists: those that are or were published. A version that is being registered, or was taken
   * back, is only shown to a reader who follows its DOI. Undefined for owner and curators.
   */
  namedVersions: ReadonlySet<number> | undefined;
}

/**
 * Returns the dataset that the path names, also for the public if a version is published. Callers without a token learn
 * nothing of other datasets: they are asked to sign in, whether the dataset exists or not.
 *
 * @throws Problem `unauthenticated`, and as {@link requireDataset}
 */
export async function requireReadableDataset(
  context: HttpContext,
  request: FastifyRequest,
  { id } = request.params as { id: string },
): Promise<ReadableDataset> {
  const uuid = uuidOf(id);
  const { caller } = request;
  const dataset = await findDataset(context.db, uuid);
  if (dataset !== undefined && caller !== null && maySee(caller, dataset.owner)) {
    await requireAvailable(context, dataset);
    return { dataset, publicVersions: undefined, namedVersions: undefined };
  }
  // Also without a dataset, so that the time of the answer does not tell whether there is a private one.
  const publications = await publicationsOf(context.db, uuid);
  const known = publications.filter((row) => visibilityOf(row) !== "none");
  if (dataset === undefined || known.length === 0) {
    throw caller === null ? new Problem("unauthenticated") : notFound("dataset", uuid);
  }
  const publicVersions = new Map(known.map((row) => [row.version, row]));
  const published = known.filter(({ published_at }) => published_at !== null);
  const namedVersions = new Set(published.map(({ version }) => version));
  await requireAvailable(context, dataset, namedVersions);
  return { dataset, publicVersions, namedVersions };
}

/**
 * @param published the versions of which the reader may know; undefined for owner and curators
 * @throws Problem `dataset_withdrawn` with the tombstone
 */
async function requireAvailable(context: HttpContext, row: DatasetRow, published?: ReadonlySet<number>): Promise<void> {
  if (row.withdrawn_at === null) return;
  const tombstone =
    published === undefined ? await viewTombstone(context, row) : await viewPublicTombstone(context, row, published);
  throw new Problem("dataset_withdrawn", `The dataset was withdrawn: ${row.withdrawn_reason}`, {
    extra: { tombstone },
  });
}

/**
 * Returns the webhook that the path names. Its address can be a secret, so that only its owner and admins may see it. Other
 * webhooks are reported as not found.
 *
 * @throws Problem `not_found`
 */
export async function requireWebhook(context: HttpContext, request: FastifyRequest): Promise<WebhookRow> {
  const { id } = request.params as { id: string };
  const row = await findWebhook(context.db, id);
  if (row === undefined || !mayChange(callerOf(request), row.owner)) {
    throw notFound("webhook", id);
  }
  return row;
}

/** Returns the owner name of the admin who makes the request. @throws Problem `forbidden` for callers who are not admins */
export function requireAdmin(request: FastifyRequest): string {
  const caller = callerOf(request);
  requireAccess(caller, "admin");
  return caller.owner;
}

/** @throws Problem `publication_off` if this service only archives datasets */
export function requirePublication({ publication }: HttpContext): void {
  if (publication.mode === "off") throw new Problem("publication_off");
}

/** The problem of a missing resource. Names only IDs, because the path can contain any text, for example a token. */
export function notFound(kind: string, id: string): Problem {
  const name = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id) ? `${kind} ${id}` : kind;
  return new Problem("not_found", `The ${name} does not exist`);
}

function requireOwn<T extends { owner: string }>(
  request: FastifyRequest,
  row: T | undefined,
  kind: string,
  id: string,
): T {
  const caller = callerOf(request);
  if (row === undefined || !maySee(caller, row.owner)) throw notFound(kind, id);
  const changes = request.routeOptions.config.access === "change";
  if (changes && !mayChange(caller, row.owner))
    throw new Problem("forbidden", "Only the owner and users with the role admin can change this entry");
  return row;
}
